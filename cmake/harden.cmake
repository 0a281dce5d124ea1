# Release builds are for others: a mistake in a reader must be hard to make use of (SECURITY.md).
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(hardened "$<CONFIG:Release,RelWithDebInfo,MinSizeRel>")
# Some compilers define _FORTIFY_SOURCE by themselves.
add_compile_options("$<${hardened}:-fstack-protector-strong>" "$<${hardened}:-U_FORTIFY_SOURCE>"
                    "$<${hardened}:-D_FORTIFY_SOURCE=2>")
add_link_options("$<${hardened}:LINKER:-z,relro,-z,now,-z,noexecstack>")
