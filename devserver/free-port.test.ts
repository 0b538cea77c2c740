import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { drawnPorts, freePort } from './free-port.ts'

test('A free port is outside the range of ephemeral ports', async () => {
  const given = createServer().listen(0, '127.0.0.1')
  await once(given, 'listening')
  const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()))
  expect((given.address() as AddressInfo).port).toBeGreaterThanOrEqual(drawnPorts.to)
  for (const port of ports) expect(port).toBeLessThan(drawnPorts.to)
  given.close()
})

test.each(['127.0.0.1', '0.0.0.0'])('A port with a listener at %s is not free', async (host) => {
  const port = await freePort()
  const taken = createServer().listen(port, host)
  await once(taken, 'listening')
  const next = [port]
  const other = await freePort((from, to) => next.shift() ?? randomInt(from, to))
  expect(next).toEqual([])
  expect(other).not.toBe(port)
  taken.close()
})
