// `npm run check`: the quick half of CI, for every save and every commit.
// Format, lint, types, dead code, contract, lock, architecture and pure tests.

import { runSteps, say, type Step } from './steps.ts'

const steps: readonly Step[] = [
  { name: 'types', command: 'npm run --silent types' },
  { name: 'architecture and pure tests', command: 'npm run --silent test:pure' },
  { name: 'lint', command: 'npm run --silent lint' },
  { name: 'format', command: 'npm run --silent format:check' },
  { name: 'dead code', command: 'npm run --silent unused' },
  { name: 'contract is the printed one', command: 'npm run --silent contract:check' },
  { name: 'life of a domain is the printed one', command: 'node tools/print-lifecycle.ts --check' },
  { name: 'contract is lint clean', command: 'npm run --silent contract:lint' },
  { name: 'lock is complete', command: 'node tools/lock.ts' },
  { name: 'production dependencies', command: 'node tools/dependencies.ts --at-most 130' },
]

const startedAt = performance.now()
const outcomes = await runSteps(steps, 2)
const failed = outcomes.filter(({ passed }) => !passed).length
say(`\n${((performance.now() - startedAt) / 1000).toFixed(1)} s\n${outcomes.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
