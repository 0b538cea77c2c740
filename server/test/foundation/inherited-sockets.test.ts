// Sockets that systemd keeps: while the program restarts, connections wait in the kernel. Perl is in systemd's place here;
// `npm run ship -- --only restarts` shows the same with systemd.

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../../devserver/free-port.ts'
import { childEnv } from '../../../testbed/harness/child-env.ts'
import { cloneDatabase } from '../../../testbed/harness/database.ts'
import { BASE_URL, STAGING_URL } from '../../../testbed/harness/service.ts'

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Listens on PORT, and runs the command with that socket again and again; prints each process. */
const keeper = `
  use IO::Socket::INET;
  ($^F, $|) = (9, 1);
  my $socket = IO::Socket::INET->new(Listen => 64, LocalAddr => "127.0.0.1:$ENV{AT}") or die;
  while (1) {
    my $pid = fork();
    if (!$pid) { @ENV{"LISTEN_PID", "LISTEN_FDS"} = ($$, fileno($socket) - 2); exec @ARGV }
    print "process $pid\\n";
    waitpid($pid, 0);
  }`

async function keeping(settings: Readonly<Record<string, string>>) {
  const at = String(await freePort())
  const env = { ...childEnv, BASE_URL, STAGING_URL, DATABASE_URL: (await cloneDatabase()).appUrl, AT: at, PORT: at }
  const child = spawn('perl', ['-e', keeper, process.execPath, main, 'serve'], {
    env: { ...env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => void process.kill(-(child.pid ?? 0), 'SIGKILL'))
  let errors = ''
  child.stderr.on('data', (part: Buffer) => (errors += part.toString()))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const { value: line, done } = await lines.next()
      if (done) throw new Error(`It ended: ${errors}`)
      const found = pattern.exec(line)
      if (found) return found[1] ?? line
    }
  }
  return { at, next, errors: () => errors }
}

test('a request that comes while the program is away is answered by the next process', async () => {
  const { at, next } = await keeping({})
  const first = Number(await next(/^process (\d+)/))
  await next(/"msg":"serving"/)
  process.kill(first, 'SIGTERM')
  await next(/^process (\d+)/)
  // The next process has only begun to load.
  expect((await fetch(`http://127.0.0.1:${at}/livez`)).status).toBe(200)
})

test('a socket at another address than that of the settings ends the program with what to do', async () => {
  const { next, errors } = await keeping({ PORT: '1' })
  await next(/^process (\d+)/)
  await next(/^process (\d+)/)
  expect(errors()).toMatch(
    /petstore-listen\.socket listens on 127\.0\.0\.1:\d+, and not on 127\.0\.0\.1:1\. Run petstore setup again/,
  )
})
