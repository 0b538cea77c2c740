// Prints the contract document to contract/openapi.json, the copy that people
// and tools read without running anything. The addresses in it are those of the
// example installation; a running service fills in its own.
//
//   node tools/print-contract.ts           writes the file
//   node tools/print-contract.ts --check   fails when the file says something else

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contractDocument } from '@petstore/contract/document'

export const printedAddresses = {
  production: 'https://api.petstore.example/v1',
  staging: 'https://api.staging.petstore.example/v1',
}

export const printedPath = join(import.meta.dirname, '../contract/openapi.json')

export const printedContract = (): string => `${JSON.stringify(contractDocument(printedAddresses), null, 2)}\n`

if (import.meta.main) {
  if (process.argv.includes('--check')) check()
  else writeFileSync(printedPath, printedContract())
}

function check(): void {
  if (readOrNothing() === printedContract()) return
  process.stderr.write('contract/openapi.json differs from contract/src. Run "node tools/print-contract.ts".\n')
  process.exitCode = 1
}

function readOrNothing(): string | undefined {
  try {
    return readFileSync(printedPath, 'utf8')
  } catch {
    return undefined
  }
}
