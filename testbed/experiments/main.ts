// `npm run experiment`: lists the experiments and the lines of the suites `safety` and `ship`, or runs one of them.
//
//   npm run experiment [-- --json]
//   npm run experiment -- <name> [--json] [options]
//   npm run experiment -- <name> --help
//
// An experiment is a folder here with main.ts, described in experiments.ts. It runs in a process of its own, which
// inherits stdin, stdout and stderr; its exit code is passed on. A line is run by the program of its suite. An unknown name
// ends with 2.

import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { describedExperiments, experimentNames, folder } from './catalogue.ts'
import { listOf, nearestTo, usageOf } from './description.ts'
import { describedSuites, suiteOf } from './suites.ts'

const print = (text: string): void => void process.stdout.write(`${text}\n`)

async function main([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === '--help') return list()
  if (name === '--json' && args.length === 0) return list({ isJson: true })
  const names = experimentNames()
  const suite = names.includes(name) ? undefined : await suiteOf(name)
  if (suite !== undefined) return run(suite, ['--only', name, ...args])
  if (!names.includes(name)) {
    process.stderr.write(`There is no experiment "${name}". Nearest: ${nearestTo(name, names).join(', ')}.\n`)
    process.stderr.write('All of them: npm run experiment\n')
    return 2
  }
  if (!args.includes('--help')) return run(join(folder, name, 'main.ts'), args)
  const described = describedExperiments().find((one) => one.name === name)
  if (!described) throw new Error(`${name} has no description`)
  print(usageOf(described))
  return 0
}

async function list({ isJson = false } = {}): Promise<number> {
  const [all, suites] = [describedExperiments(), await describedSuites()]
  print(isJson ? JSON.stringify(all.map(({ name, about }) => ({ name, ...about }))) : listOf(all, suites))
  return 0
}

/** Ctrl-C reaches the experiment as well as this process, which waits for its exit code. */
function run(program: string, args: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' })
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => void child.kill('SIGTERM'))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
  })
}

process.exitCode = await main(process.argv.slice(2))
