import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { readJson } from '../json-reader.ts'
import { bodyReader } from './validate.ts'

const note = Type.Object({ text: Type.String() }, { additionalProperties: false })
const read = (schema: object, json: string) =>
  bodyReader({ schema, faults: {}, examples: {} })(readJson(Buffer.from(json)))

test.each(['1', '-0', '1e999999999'])('a number is no object with a text: %s', (json) => {
  expect(() => read(note, json)).toThrow(expect.objectContaining({ code: 'invalid_field' }))
  const nested = Type.Object({ note })
  expect(() => read(nested, `{"note":${json}}`)).toThrow(expect.objectContaining({ code: 'invalid_field' }))
})

test('an object with a text is one', () => {
  expect(read(note, '{"text":"1"}')).toEqual({ text: '1' })
})
