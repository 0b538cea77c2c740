// Parses the command-line options of an experiment by its description. `--help` prints the usage
// and ends the process; an option that is not described ends it with 2.

import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { commandOf, usageOf, type About } from './description.ts'

type Values<Options extends About['options']> = ReturnType<typeof parseArgs<{ options: Options }>>['values']

export function readFlags<const Options extends About['options']>(
  about: About & { options: Options },
): Values<Options> {
  const [, program = '', ...args] = process.argv
  const name = basename(dirname(program))
  if (args.includes('--help')) {
    process.stdout.write(`${usageOf({ name, about })}\n`)
    process.exit(0)
  }
  try {
    return parseArgs({ args, options: about.options }).values
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nOptions: ${commandOf(name)} --help\n`)
    process.exit(2)
  }
}
