// Several processes behind one port, as an operator starts them with PROCESSES.

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { asOwner, cloneDatabase } from '../../../testbed/harness/database.ts'
import { exchange } from '../../../testbed/harness/http.ts'
import { runProgram } from '../../../testbed/harness/process.ts'
import type { Program } from '../../../testbed/harness/program.ts'

const startsOf = ({ lines }: Program) => lines.filter((line) => line.includes('"msg":"serving"')).length

async function until(program: Program, isTrue: () => boolean): Promise<void> {
  let end: string | undefined
  void program.ended.then(({ code, errors }) => (end = `ended with ${code}: ${errors}`))
  while (!isTrue()) {
    if (end !== undefined) throw new Error(`The program ${end}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

test('several processes share the port, one that dies is replaced, and all end together with code 0', async () => {
  const { appUrl } = await cloneDatabase()
  const program = runProgram(['serve'], { DATABASE_URL: appUrl, PORT: '0', PROCESSES: '2' })
  await until(program, () => startsOf(program) >= 2)
  const origin = `http://127.0.0.1:${await program.port}`
  expect((await exchange(origin, { path: '/readyz' })).status).toBe(200)

  const [victim] = await childrenOf(program.pid)
  if (victim === undefined) throw new Error('no process to kill')
  process.kill(victim, 'SIGKILL')
  await until(program, () => startsOf(program) >= 3)
  expect(await childrenOf(program.pid)).toHaveLength(2)
  expect((await exchange(origin, { path: '/readyz' })).status).toBe(200)

  program.end('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0, errors: '' })
})

test('when none can start, the failure is logged and the program exits with code 1', async () => {
  const { ownerUrl } = await cloneDatabase()
  const program = runProgram(['serve'], { DATABASE_URL: `${ownerUrl}?connect_timeout=30`, PORT: '0', PROCESSES: '2' })
  const { code, errors } = await program.ended
  expect(code).toBe(1)
  expect(errors).toContain('step over row level security')
})

test('when processes that die cannot be replaced, the program ends with code 1 after a few attempts', async () => {
  const database = await cloneDatabase()
  const program = runProgram(['serve'], { DATABASE_URL: database.appUrl, PORT: '0', PROCESSES: '2' })
  await until(program, () => startsOf(program) >= 2)
  await asOwner(database, (client) => client.query(`update schema_migrations set digest = 'another'`))
  for (const pid of await childrenOf(program.pid)) process.kill(pid, 'SIGKILL')
  const { code, errors } = await program.ended
  expect(code).toBe(1)
  const attempts = errors.match(/was changed after it had been applied/g)?.length
  expect(attempts).toBeGreaterThanOrEqual(5)
  expect(attempts).toBeLessThanOrEqual(6)
  expect(startsOf(program)).toBe(2)
})

test('with everything in one program the serving processes end before it does', async () => {
  const { appUrl, ownerUrl } = await cloneDatabase()
  const program = runProgram(['start'], {
    DATABASE_URL: appUrl,
    DATABASE_OWNER_URL: ownerUrl,
    PORT: '0',
    EDGE_PORT: '0',
    PROCESSES: '2',
  })
  await until(
    program,
    () => startsOf(program) >= 2 && program.lines.some((line) => line.includes('"msg":"serving sites"')),
  )
  const children = await childrenOf(program.pid)
  expect(children).toHaveLength(2)

  program.end('SIGTERM')
  expect(await program.ended).toMatchObject({ code: 0, errors: '' })
  expect(children.filter(isThere)).toEqual([])
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.trim().split(' ').filter(Boolean).map(Number)
}
