// Puts the files of the viewer into the program: writes a C++ source with the text of each, deflated or as it is.
//   espalier_pack OUT.cpp packed:NAME=FILE+FILE text:NAME=FILE ...

#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "espalier/draw/detail/pack.hpp"

namespace {

// A file, or several one after the other.
bool read_all(std::string files, std::string& text) {
  while (!files.empty()) {
    const std::size_t end = files.find('+');
    std::ifstream file(files.substr(0, end), std::ios::binary);
    if (!file) {
      std::cerr << "cannot read " << files.substr(0, end) << '\n';
      return false;
    }
    text.append(std::istreambuf_iterator<char>(file), {});
    text += '\n';
    files = end == std::string::npos ? "" : files.substr(end + 1);
  }
  return true;
}

void write_literal(const std::string& text, std::ostream& out) {
  out << '"';
  for (std::size_t k = 0; k < text.size(); ++k) {
    const char c = text[k];
    if (c == '\n') {
      out << "\\n\"\n\"";
    } else if (c == '"' || c == '\\') {
      out << '\\' << c;
    } else {
      out << c;
    }
    if (k % 4096 == 4095) out << "\"\n\"";
  }
  out << '"';
}

}  // namespace

int main(int count, char** arguments) {
  std::ofstream out(arguments[1]);
  out << "#include \"espalier/draw/detail/assets.hpp\"\n\nnamespace espalier::draw::detail {\n\n"
      << "std::string_view asset(std::string_view name) {\n";
  for (int k = 2; k < count; ++k) {
    const std::string word = arguments[k];
    const std::size_t colon = word.find(':'), equal = word.find('=');
    std::string text;
    if (!read_all(word.substr(equal + 1), text)) return 1;
    if (word.substr(0, colon) == "packed") {
      text = espalier::draw::detail::base64(espalier::draw::detail::deflated(text, 9));
    }
    out << "  if (name == \"" << word.substr(colon + 1, equal - colon - 1) << "\") return ";
    write_literal(text, out);
    out << ";\n";
  }
  out << "  return {};\n}\n\n}  // namespace espalier::draw::detail\n";
  return out ? 0 : 1;
}
