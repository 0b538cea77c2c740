// Prints the contract documents, of `/v1` and of `/platform/v1`: the copies that
// people and tools read without running anything. The addresses and the contact in
// them are those of the example installation; a running service fills in its own. And the table of
// calls that the client of `/platform/v1` goes by, and that of the inputs of a profile, which spare a browser the schemas.
//
//   npm run generate -- contract           writes the files
//   npm run generate -- contract --check   fails when a file differs

import { join } from 'node:path'
import { contractDocument } from '@petstore-platform/contract/document'
import { printedCalls } from '@petstore-platform/contract/platform/calls-printing'
import { platformDocument } from '@petstore-platform/contract/platform/document'
import { printedInputs } from '@petstore-platform/contract/platform/profile-inputs-printing'
import { writeGenerated } from './generated-file.ts'

/** The placeholders in the committed documents for a running service's own configuration. */
export const exampleInstallation = (prefix: string) => ({
  production: `https://api.petstore.example${prefix}`,
  staging: `https://api.staging.petstore.example${prefix}`,
  contact: { name: 'Petstore API', url: 'https://petstore.example/docs', email: 'api@petstore.example' },
})
const pathOf = (name: string) => join(import.meta.dirname, '../contract', name)
const printed = (document: object) => `${JSON.stringify(document, null, 2)}\n`

export const printedPath = pathOf('openapi.json')
export const printedPlatformPath = pathOf('platform-openapi.json')

export const printedContract = (): string => printed(contractDocument(exampleInstallation('/v1')))
export const printedPlatform = (): string => printed(platformDocument(exampleInstallation('/platform/v1')))

const documents = [
  [printedPath, printedContract],
  [printedPlatformPath, printedPlatform],
  [pathOf('src/platform/calls.ts'), printedCalls],
  [pathOf('src/platform/profile-inputs.ts'), printedInputs],
] as const

if (import.meta.main) {
  for (const [path, print] of documents) writeGenerated('contract', path, print())
}
