#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/result.hpp"

namespace espalier::app {

// Columns of the terminal on standard output; 80 where there is none, never less than 40.
int terminal_width();

// Prints "espalier: place: message" on standard error and, with `json`, {"error": ...} on standard output.
// Returns the exit code for bad input.
int report(const Error& error, bool json);

// First thing in main(): a standard stream that is closed leads to /dev/null from here on. Its number would else be
// that of the next file opened, and what is printed would end up there.
void open_standard_streams();

// Writes a report or a JSON document to standard output, made fit for a terminal, and tells whether it went through
// (closed, a closed pipe, a full disk). Work goes on where it did not: finish_output() will say so.
bool print(std::string_view text);
// The same as the last act of a verb: returns its exit code.
int print_result(std::string_view text);
// The same for a file that goes to standard output: byte by byte, unless a terminal shows it.
int print_file(std::string_view text);
// Last thing in main(): where anything printed did not get through, says so on standard error, and 0 becomes 1.
int finish_output(int code);

// Starts the program again on several ranks, with the words of its command, and returns their exit code.
int launch(const std::vector<std::string>& command, int ranks, bool json);

// Writes to standard error, made fit for a terminal.
void say(std::string_view text);
// A sentence behind the name of the program; nothing where it is empty.
void say_problem(std::string_view sentence);

// Nothing is printed on standard output any more, until it is turned off again.
void set_quiet(bool quiet);

}  // namespace espalier::app
