import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ConnectionTurns, NO_PROJECT, TookTooLong } from './connection-turns.io.ts'

/** Connections, and who has been given one, in order. */
function recorded(connections: number, waitMs = 60_000) {
  const turns = new ConnectionTurns(connections, waitMs)
  const given: string[] = []
  const take = (user: string) => turns.take(user).then(() => void given.push(user))
  return { turns, given, take }
}

test('a connection that is free is given at once', async () => {
  const { given, take } = recorded(2)
  await Promise.all([take('north'), take('north')])
  expect(given).toEqual(['north', 'north'])
})

test('of those who wait, the project that uses the fewest is next; of equals, the one that waits longest', async () => {
  const { turns, given, take } = recorded(3)
  for (const user of ['north', 'north', 'north', 'north', 'north', 'south', 'south', 'east']) void take(user)
  for (let released = 0; released < 3; released += 1) turns.release('north')
  await turn()
  // South and East come before North, which came before them; South has one when its second is due.
  expect(given).toEqual(['north', 'north', 'north', 'south', 'east', 'north'])
})

test('work of no project comes before a project that uses connections', async () => {
  const { turns, given, take } = recorded(2)
  for (const user of ['north', 'north', 'north', NO_PROJECT, NO_PROJECT]) void take(user)
  turns.release('north')
  turns.release(NO_PROJECT)
  turns.release(NO_PROJECT)
  await turn()
  expect(given).toEqual(['north', 'north', NO_PROJECT, NO_PROJECT, 'north'])
})

test('a caller that has waited too long is refused, and takes no connection later', async () => {
  const { turns, given, take } = recorded(1, 1)
  await take('north')
  await expect(take('south')).rejects.toThrow(TookTooLong)
  turns.release('north')
  await take('east')
  expect(given).toEqual(['north', 'east'])
})
