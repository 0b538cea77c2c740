// The kind of a device by its name.

import { expect, test } from 'vitest'
import { deviceKind } from './device-kind.ts'

test.each([
  ['Firefox on Windows', 'computer'],
  ['Safari on Mac', 'computer'],
  ['Chrome on ChromeOS', 'computer'],
  ['Linux', 'computer'],
  ['Safari on iPhone', 'phone'],
  ['Samsung Internet on Android', 'phone'],
  ['Safari on iPad', 'tablet'],
  ['Firefox', 'unknown'],
  [null, 'unknown'],
] as const)('%s: %s', (device, kind) => {
  expect(deviceKind(device)).toBe(kind)
})
