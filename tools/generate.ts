// `npm run generate`: writes every file that is generated and committed. Each generator is a program of its own that
// takes `--check`; then nothing is written, and it fails if a file differs from what it would write.
//
//   npm run generate -- [<name>…] [--check]

import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { say } from './steps.ts'

type Generator = {
  files: string
  program: string
  /** Arguments with which it writes, if it does more than that. */
  write?: readonly string[]
  /** Why it runs only if it is named; undefined: it takes seconds and needs Node alone. */
  onlyNamed?: string
}

const generators: Readonly<Record<string, Generator>> = {
  contract: {
    files:
      'contract/openapi.json, contract/platform-openapi.json, and in contract/src/platform calls.ts, profile-inputs.ts',
    program: 'tools/print-contract.ts',
  },
  tokens: { files: 'dashboard/src/ui/tokens.css', program: 'tools/print-tokens.ts' },
  schema: { files: 'server/schema.sql', program: 'testbed/harness/schema-file.ts' },
  lifecycle: { files: 'docs/domain-lifecycle.md', program: 'tools/print-lifecycle.ts' },
  causes: { files: 'docs/domain-causes.md', program: 'testbed/zones/causes-file.ts' },
  limits: { files: 'docs/limits.md', program: 'testbed/harness/limits-file.ts' },
  monitoring: { files: 'monitoring/dashboard.json, docs/metrics.md', program: 'testbed/harness/monitoring-files.ts' },
  asvs: { files: 'docs/asvs.md', program: 'testbed/safety/asvs/page.ts' },
  experiments: { files: 'docs/experiments.md', program: 'testbed/experiments/page.ts' },
  advice: {
    files: 'testbed/zones/advice.txt, docs/domain-causes.md',
    program: 'testbed/experiments/causes/main.ts',
    write: ['--write'],
    onlyNamed: 'checks the whole corpus on the test internet, about 20 s',
  },
  faults: {
    files: 'docs/certificate-troubles.md',
    program: 'testbed/experiments/faults/main.ts',
    write: ['--write'],
    onlyNamed: 'injects every fault on the test internet, a few minutes',
  },
}

const usage = `npm run generate -- [<name>…] [--check]

Without names it runs all that take seconds:
${linesOf(([, { onlyNamed }]) => onlyNamed === undefined)}

Only if named, since they need the test internet (Debian packages knot, unbound, bind9-dnsutils, pebble, caddy, openssl):
${linesOf(([, { onlyNamed }]) => onlyNamed !== undefined)}

  --check   write nothing, and fail if a file differs

Measured figures are not reproducible, so they are not among these: "npm run bench -- --write" writes docs/performance.md.`

process.exitCode = main()

function main(): number {
  const { values, positionals } = parseArgs({
    options: { check: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const unknown = positionals.filter((name) => !(name in generators))
  if (values.help) say(usage)
  if (values.help) return 0
  if (unknown.length > 0) {
    process.stderr.write(
      `There is no generator ${unknown.join(', ')}. There are: ${Object.keys(generators).join(', ')}.\n`,
    )
    return 2
  }
  const wanted = Object.entries(generators).filter(([name, { onlyNamed }]) =>
    positionals.length === 0 ? onlyNamed === undefined : positionals.includes(name),
  )
  const failed = wanted.filter(([name, generator]) => !run(name, generator, values.check))
  return failed.length === 0 ? 0 : 1
}

function run(name: string, { files, program, write = [] }: Generator, isCheck: boolean): boolean {
  const args = isCheck ? ['--check'] : write
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
  say(`${status === 0 ? 'ok  ' : 'FAIL'} ${name}: ${files}`)
  return status === 0
}

function linesOf(isWanted: (entry: [string, Generator]) => boolean): string {
  return Object.entries(generators)
    .filter(isWanted)
    .map(([name, { files, onlyNamed }]) => `  ${name.padEnd(12)}${files}${onlyNamed ? ` (${onlyNamed})` : ''}`)
    .join('\n')
}
