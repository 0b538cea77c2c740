// Parses the command-line options of an experiment by its description. `--help` prints the usage
// and ends the process; an option that is not described ends it with 2.

import { parseArgs } from 'node:util'
import { commandOf, usageOf, type About } from './description.ts'
import { experiments } from './experiments.ts'

type Experiments = typeof experiments
type Values<Options extends About['options']> = ReturnType<typeof parseArgs<{ options: Options }>>['values']

export const readFlags = <Name extends keyof Experiments>(name: Name): Values<Experiments[Name]['options']> =>
  parse<Experiments[Name]['options']>(name, experiments[name])

function parse<Options extends About['options']>(name: string, about: About & { options: Options }): Values<Options> {
  const args = process.argv.slice(2)
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
