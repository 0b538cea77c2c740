import { describe, expect, test } from 'vitest'
import { structuralDifference } from './contract-diff.ts'

const document = {
  paths: {
    '/pets': {
      get: {
        operationId: 'listPets',
        summary: 'List animals',
        tags: [],
        responses: { 200: { description: 'A page.', content: { 'application/json': { example: [{ id: 1 }] } } } },
      },
    },
  },
  components: { schemas: { Pet: { type: 'object', properties: { description: { type: 'string', maxLength: 10 } } } } },
}
/** A copy in which one text of the JSON is another one. */
const changed = (from: string, to: string): typeof document => {
  const text = JSON.stringify(document)
  expect(text).toContain(from)
  return JSON.parse(text.replace(from, to)) as typeof document
}

describe('the structural difference of two OpenAPI documents', () => {
  test.each([
    ['a summary', '"List animals"', '"All animals"'],
    ['a description', '"A page."', '"Animals."'],
    ['a new description', '"tags":[]', '"tags":[],"description":"Newest first."'],
    ['an example', '[{"id":1}]', '[{"id":2},{"id":3}]'],
  ])('does not contain %s', (_, from, to) => {
    expect(structuralDifference(document, changed(from, to))).toEqual([])
  })

  test.each([
    ['an operation id', '"listPets"', '"list"', 'paths./pets.get.operationId: "listPets" → "list"'],
    [
      'a response that has only a description',
      '"200":{',
      '"204":{"description":"Deleted."},"200":{',
      'paths./pets.get.responses.204: nothing → {}',
    ],
    ['a new value', '"tags":[]', '"tags":["animals"]', 'paths./pets.get.tags.0: nothing → "animals"'],
    [
      'a field that is called description (negative control)',
      '"maxLength":10',
      '"maxLength":11',
      'components.schemas.Pet.properties.description.maxLength: 10 → 11',
    ],
  ])('contains %s', (_, from, to, line) => {
    expect(structuralDifference(document, changed(from, to))).toContain(line)
  })

  test('contains what was removed', () => {
    const { components, paths } = document
    expect(structuralDifference({ components, paths }, { paths })).toContain(
      'components.schemas.Pet.type: "object" → nothing',
    )
  })
})
