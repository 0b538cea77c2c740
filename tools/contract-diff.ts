// `node tools/contract-diff.ts <git-ref>`: the structural difference between the OpenAPI
// documents of that commit and those of the working tree, one line for each place.
// Descriptions, summaries and examples are ignored, because they may be reworded at any
// time; everything else is a promise to clients. Exits with 1 if there is a difference.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const documents = ['contract/openapi.json', 'contract/platform-openapi.json']

const wording: ReadonlySet<string> = new Set(['description', 'summary', 'example', 'examples'])
/** Their keys are names chosen by us, such as a field called `description`; only their values have wording. */
const named: ReadonlySet<string> = new Set(['properties', 'patternProperties', '$defs', 'schemas', 'headers'])

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

/** Lines such as `paths./pets.get.operationId: "listPets" → "list"`. */
export function structuralDifference(before: Json, after: Json): string[] {
  const [old, now] = [leavesOf(before), leavesOf(after)]
  const places = [...new Set([...old.keys(), ...now.keys()])].sort()
  return places.flatMap((place) =>
    old.get(place) === now.get(place)
      ? []
      : [`${place}: ${old.get(place) ?? 'nothing'} → ${now.get(place) ?? 'nothing'}`],
  )
}

/** Every value by its path. A list or an object that contains only wording is a value, too. */
function leavesOf(json: Json): Map<string, string> {
  const leaves = new Map<string, string>()
  const visit = (value: Json, path: readonly string[], areNames: boolean): void => {
    if (typeof value !== 'object' || value === null) {
      leaves.set(path.join('.'), JSON.stringify(value))
      return
    }
    const entries = Object.entries(value as Record<string, Json>).filter(([key]) => areNames || !wording.has(key))
    if (entries.length === 0) leaves.set(path.join('.'), Array.isArray(value) ? '[]' : '{}')
    for (const [key, child] of entries) visit(child, [...path, key], !areNames && named.has(key))
  }
  visit(json, [], false)
  return leaves
}

function main(ref: string | undefined): number {
  if (ref === undefined) throw new Error('Which commit? Such as: node tools/contract-diff.ts HEAD')
  const lines = documents.flatMap((path) => {
    const before = execFileSync('git', ['show', `${ref}:${path}`], { cwd: root, encoding: 'utf8', maxBuffer: 1e8 })
    const after = readFileSync(join(root, path), 'utf8')
    return structuralDifference(JSON.parse(before) as Json, JSON.parse(after) as Json).map((line) => `${path} ${line}`)
  })
  process.stdout.write(lines.length === 0 ? 'No structural difference.\n' : `${lines.join('\n')}\n`)
  return lines.length === 0 ? 0 : 1
}

if (import.meta.main) process.exitCode = main(process.argv[2])
