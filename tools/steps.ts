// Runs commands sequentially or in parallel, and reports for each whether it passed and
// how long it took. The output of a command is shown only if it failed; everything else
// would hide what matters.

import { spawn } from 'node:child_process'

export type Step = { name: string; command: string }
export type StepOutcome = { name: string; passed: boolean; seconds: number; output: string }

export function runStep({ name, command }: Step): Promise<StepOutcome> {
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] })
    const chunks: Buffer[] = []
    child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => chunks.push(chunk))
    child.on('close', (code) => {
      const seconds = (performance.now() - startedAt) / 1000
      resolve({ name, passed: code === 0, seconds, output: Buffer.concat(chunks).toString() })
    })
  })
}

export async function runSteps(steps: readonly Step[], atOnce: number): Promise<StepOutcome[]> {
  const waiting = [...steps]
  const outcomes: StepOutcome[] = []
  const work = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) {
      const outcome = await runStep(step)
      outcomes.push(outcome)
      report(outcome)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return outcomes
}

function report({ name, passed, seconds, output }: StepOutcome): void {
  say(`${passed ? 'ok  ' : 'FAIL'} ${name} (${seconds.toFixed(1)} s)`)
  if (!passed) say(output.trimEnd().replace(/^/gm, '     '))
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
