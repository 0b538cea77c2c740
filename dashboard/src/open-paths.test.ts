import { expect, test } from 'vitest'
import { isOpenPath } from './open-paths.ts'

test('the first page and those of mailed links need no session, and every other one does', () => {
  expect(['/', '/sign-in', '/recovery', '/invitations', '/dns/secret'].filter((path) => !isOpenPath(path))).toEqual([])
  expect(['/projects', '/projects/happy-paws/requests', '/account'].filter(isOpenPath)).toEqual([])
})
