import { expect, test } from 'vitest'
import { digestIn, superfluous, versionTrouble } from './decide.ts'

test('only a newer release follows', () => {
  expect(versionTrouble('1.0.1', '1.0.0')).toBeUndefined()
  expect(versionTrouble('1.10.0', '1.9.0')).toBeUndefined()
  expect(versionTrouble('1.0.0', '1.0.0')).toContain('is the release that runs')
  expect(versionTrouble('1.0.0', '1.0.1')).toContain('upgrade --back')
})

test('a digest is that of the whole name (negative control: of none that ends like it)', () => {
  const sums = `${'a'.repeat(64)}  other-petstore.tar.gz\n${'b'.repeat(64)}  petstore.tar.gz\n`
  expect(digestIn(sums, 'petstore.tar.gz')).toBe('b'.repeat(64))
  expect(digestIn(sums, 'tar.gz')).toBeUndefined()
})

test('releases are removed, and nothing that an operator has put beside them', () => {
  const names = ['0.9.0', '1.0.0', '1.0.1', '1.1.0-rc.1', 'bin', 'current', 'previous', 'notes']
  expect(superfluous(names, ['1.0.0', '1.0.1'])).toEqual(['0.9.0', '1.1.0-rc.1'])
})
