#!/usr/bin/env node
// The executable. It checks the version of Node before anything else is loaded, so it is plain old JavaScript without
// static imports: a Node that is too old parses it, and reports what is wrong in a sentence instead of a stack.

var oldest = [24, 15]
var current = process.versions.node.split('.').map(Number)

if (current[0] < oldest[0] || (current[0] === oldest[0] && current[1] < oldest[1])) {
  process.stderr.write(
    'Petstore needs Node ' + oldest.join('.') + ' or newer, and this is Node ' + process.versions.node + '.\n',
  )
  process.exitCode = 1
} else {
  // A release has ../dist/main.js here.
  void import('../src/main.ts')
}
