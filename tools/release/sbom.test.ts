import { expect, test } from 'vitest'
import { bomFaults, nodeComponent, releaseBom, type Bom } from './sbom.ts'

const component = (name: string) => ({
  'bom-ref': `${name}@1.0.0`,
  type: 'library',
  name,
  version: '1.0.0',
  purl: `pkg:npm/${name.replace('@', '%40')}@1.0.0`,
})
const written: Bom = {
  serialNumber: 'urn:uuid:random',
  metadata: { timestamp: 'now', tools: [{ name: 'npm' }], component: component('folder') },
  components: ['a', '@b/c', 'native-arm64'].map(component),
  dependencies: [
    { ref: 'folder@1.0.0', dependsOn: ['a@1.0.0', '@b/c@1.0.0'] },
    { ref: 'a@1.0.0', dependsOn: ['native-arm64@1.0.0'] },
    { ref: 'native-arm64@1.0.0' },
  ],
}
const packages = new Set(['a@1.0.0', '@b/c@1.0.0'])
const options = { name: 'petstore', packages, additions: [nodeComponent('26.0.0', 'x64')], seconds: 0 }

test('the bill is determined by the commit, and lists what is installed and what it brings besides', () => {
  const bom = releaseBom(written, { ...options, seed: 'commit x64' })
  expect(bom).toEqual(releaseBom({ ...written, serialNumber: 'other' }, { ...options, seed: 'commit x64' }))
  expect(bom.serialNumber).toMatch(/^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(bom.serialNumber).not.toBe(releaseBom(written, { ...options, seed: 'commit arm64' }).serialNumber)
  expect(bom.metadata).toEqual({
    timestamp: '1970-01-01T00:00:00.000Z',
    component: { ...component('folder'), name: 'petstore' },
  })
  expect(bom.components.map(({ name }) => name)).toEqual(['a', '@b/c', 'node'])
  expect(bom.dependencies.at(-1)).toEqual({ ref: 'a@1.0.0', dependsOn: [] })
  expect(bomFaults(bom, packages)).toEqual([])
})

test('a package that only one side has is found (negative control)', () => {
  const bom = releaseBom(written, { ...options, seed: '' })
  expect(bomFaults(bom, new Set(['a@1.0.0', 'stray@1.0.0']))).toEqual([
    '@b/c@1.0.0 is listed and not installed',
    'stray@1.0.0 is installed and not listed',
  ])
})
