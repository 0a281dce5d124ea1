# What Debian asks of staged files: libraries come from the system's own places, manual pages are compressed.
file(GLOB programs ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/bin/espalier)
foreach(program IN LISTS programs)
  file(RPATH_REMOVE FILE ${program})
endforeach()
file(GLOB pages ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/*/usr/share/man/man1/*.1)
if(pages)
  execute_process(COMMAND gzip -9nf ${pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
