// Parses the command-line options of an experiment by its description. `--help` prints the usage
// and ends the process; an option that is not described ends it with 2. With `--tier large`, the seed is a random one,
// which is printed.

import { randomInt } from 'node:crypto'
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
    return parseArgs({ args: seeded(args, about), options: about.options }).values
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nOptions: ${commandOf(name)} --help\n`)
    process.exit(2)
  }
}

const TIER = /^--tier=?/

function seeded(args: readonly string[], { options }: About): string[] {
  const place = args.findIndex((arg) => TIER.test(arg))
  if (place === -1) return [...args]
  const tier = args[place]?.replace(TIER, '') || args[place + 1]
  if (tier !== 'large') throw new Error('--tier is large; what every push runs is in the test that the list names.')
  if (!('seed' in options) || args.some((arg) => arg.startsWith('--seed'))) return [...args]
  const seed = String(randomInt(2 ** 31))
  process.stderr.write(`--seed ${seed}\n`)
  return [...args, '--seed', seed]
}
