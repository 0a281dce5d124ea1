// Something for the flags to act on: a buffer on the stack, and a copy whose bound is not known.
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  char text[64];
  std::strncpy(text, argv[argc - 1], static_cast<std::size_t>(argc) * 60);
  text[63] = '\0';
  std::puts(text);
  return 0;
}
