import { importFields } from '@petstore-platform/contract/platform/import-shapes'
import { expect, test } from 'vitest'
import { fieldChoices } from './field-choices.ts'

test('a column can become each field that an import knows, and each is offered once', () => {
  const offered = fieldChoices.flatMap((choice) => ('items' in choice ? choice.items.map(({ value }) => value) : []))
  expect(offered.toSorted()).toEqual(importFields.toSorted())
})
