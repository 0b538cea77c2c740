// Compares an OpenAPI document with actual responses. Every documented status, header, field
// and enum value must have been observed, and everything observed must be documented: so
// nothing can be added to, or left out of, either side without the other.

import { operationsOf, type OpenApi, type Operation, type Schema } from '../../../testbed/harness/openapi.ts'
import { createChecker, headerText, type Answered } from '../../../testbed/harness/response-checker.ts'
import { isType } from '../../../testbed/harness/schema-samples.ts'

export type Witness = {
  operationId: string
  /** The expected status. */
  status: number
  /** Can happen to any request, so the document has it under `default`. */
  isAnywhere?: boolean
  answered: Answered
}

export function answerDifferences(document: OpenApi, witnesses: readonly Witness[]): string[] {
  const operations = operationsOf(document)
  const checker = createChecker(document)
  const found: string[] = []
  for (const { operationId, status, isAnywhere, answered } of witnesses) {
    const operation = operations.find((one) => one.operationId === operationId)
    const what = `${operationId} ${status}`
    if (!operation) found.push(`${operationId} is not documented`)
    else if (!operation.responses[isAnywhere ? 'default' : status]) found.push(`${what} is not documented`)
    if (answered.status !== status) found.push(`${what}: the witness answered ${answered.status} ${answered.text}`)
    found.push(...checker.check(answered).map(({ kind, detail }) => `${what} ${kind}: ${detail}`))
  }
  return [
    ...found,
    ...operations.flatMap((operation) => opennessOf(operation)),
    ...operations.flatMap((operation) => unseenOf(operation, witnesses)),
  ]
}

/** Responses may grow, requests may not; and the Error body is fixed permanently. */
function opennessOf({ operationId, body, responses }: Operation): string[] {
  const found: string[] = []
  if (body && !isClosed(body.schema)) found.push(`${operationId}: the request body is open`)
  for (const [status, { content }] of Object.entries(responses)) {
    const isError = !status.startsWith('2')
    for (const schema of objectsIn(content?.['application/json']?.schema)) {
      if (isClosed(schema) !== isError)
        found.push(`${operationId} ${status}: the answer is ${isError ? 'open' : 'closed'}`)
    }
  }
  return found
}

const isClosed = (schema: Schema) => schema.additionalProperties === false || schema.unevaluatedProperties === false

function objectsIn(schema: Schema | undefined): Schema[] {
  if (!schema) return []
  const inner = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])].flatMap(objectsIn)
  return isType(schema, 'object') ? [schema, ...inner] : inner
}

/** What the document promises and no witness has shown, or the other way round. */
function unseenOf({ operationId, responses }: Operation, witnesses: readonly Witness[]): string[] {
  return Object.entries(responses)
    .filter(([status]) => status !== 'default')
    .flatMap(([status, { headers, content }]) => {
      const what = `${operationId} ${status}`
      const seen = witnesses
        .filter((one) => one.operationId === operationId && String(one.answered.status) === status)
        .map(({ answered }) => answered)
      if (seen.length === 0) return [`${what} has no witness`]
      const unseenHeaders = Object.keys(headers ?? {})
        .filter((name) => !seen.some((answered) => headerText(answered, name) !== undefined))
        .map((name) => `${what}: the header ${name} was never sent`)
      const schema = content?.['application/json']?.schema
      const values = seen.filter(({ text }) => text !== '').map(({ text }) => JSON.parse(text) as unknown)
      return [...unseenHeaders, ...(schema ? unseenValues(schema, values, what) : [])]
    })
}

function unseenValues(schema: Schema, values: readonly unknown[], what: string): string[] {
  const found: string[] = []
  for (const value of schema.enum ?? []) {
    if (!values.includes(value)) found.push(`${what}: ${String(value)} was never sent`)
  }
  if (schema.items) {
    const lists = values.filter((value) => Array.isArray(value))
    const { maxItems } = schema as { maxItems?: number }
    if (!lists.some((list) => list.length === maxItems)) found.push(`${what}: no list has ${maxItems} items`)
    found.push(...unseenValues(schema.items, lists.flat(), `${what}[]`))
  }
  if (schema.properties) {
    const objects = values.filter((value): value is Record<string, unknown> => typeof value === 'object')
    const sent = new Set(objects.flatMap((object) => Object.keys(object)))
    for (const name of sent) if (!schema.properties[name]) found.push(`${what}: ${name} is sent and not documented`)
    for (const [name, of] of Object.entries(schema.properties)) {
      if (sent.has(name))
        found.push(
          ...unseenValues(
            of,
            objects.map((object) => object[name]),
            `${what}.${name}`,
          ),
        )
      else found.push(`${what}: ${name} was never sent`)
    }
  }
  return found
}
