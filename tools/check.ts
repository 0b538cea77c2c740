// `npm run check`: the quick half of CI, for every save and every commit.
// Format, lint, types, dead code, contract, lock, architecture and pure tests.

import { runSteps, say, type Step } from './steps.ts'

const steps: readonly Step[] = [
  { name: 'types', command: 'npm run --silent types' },
  { name: 'architecture and pure tests', command: 'npx --no vitest run --project pure' },
  { name: 'lint', command: 'npm run --silent lint' },
  { name: 'format', command: 'npx --no oxfmt --check' },
  { name: 'dead code', command: 'npx --no knip' },
  { name: 'contract is the generated one', command: 'node tools/generate.ts contract --check' },
  {
    name: 'documents are the generated ones',
    command: 'node tools/generate.ts lifecycle causes experiments limits monitoring asvs --check',
  },
  {
    name: 'contract is lint clean',
    command:
      'REDOCLY_TELEMETRY=off npx --no redocly lint --extends=recommended-strict contract/openapi.json contract/platform-openapi.json',
  },
  { name: 'lock is complete', command: 'node tools/lock.ts' },
  { name: 'production dependencies', command: 'node tools/dependencies.ts --at-most 148' },
]

const startedAt = performance.now()
const outcomes = await runSteps(steps, 2)
const failed = outcomes.filter(({ passed }) => !passed).length
say(`\n${((performance.now() - startedAt) / 1000).toFixed(1)} s\n${outcomes.length - failed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
