### English. The Rust structs in `../src` name the keys; a test compares both.


## Pages


## Imports: errors, skipped rows, questions and doubts


## Errors and refusals

