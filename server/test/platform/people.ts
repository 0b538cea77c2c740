// People in a project, for tests of access rights. Every response that they get is validated
// against the OpenAPI document of `/platform/v1`, whatever the test is about.

import { platformDocument } from '@petstore-platform/contract/platform/document'
import type { Role } from '@petstore-platform/contract/platform/operation'
import { expect } from 'vitest'
import { exampleInstallation } from '../../../tools/print-contract.ts'
import type { AccountId } from '../../src/accounts/account-queries.ts'
import * as directory from '../../src/projects/directory.io.ts'
import { insertMember } from '../../src/projects/project-queries.ts'
import { inProjectOf } from '../../src/projects/scope.io.ts'
import type { Received } from '../../../testbed/harness/http.ts'
import { readDocument } from '../../../testbed/harness/openapi.ts'
import { platformInterface } from '../../../testbed/harness/platform-headers.ts'
import {
  PLATFORM,
  startTestPlatform,
  type PlatformOwner,
  type PersonClient,
  type TestPlatform,
  type Visitor,
} from '../../../testbed/harness/platform.ts'
import { createChecker } from '../../../testbed/harness/response-checker.ts'
import type { TestServiceOptions } from '../../../testbed/harness/service.ts'

export type People = TestPlatform & {
  /** A new person with this role in the owner's project. */
  joins(owner: PlatformOwner, role: Role, name?: string): Promise<PersonClient>
  /** One client for every relation to a project. */
  everybody(owner: PlatformOwner): Promise<Record<Role | 'stranger' | 'nobody', Visitor>>
}

export async function startPeople(options: TestServiceOptions = {}): Promise<People> {
  const platform = await startTestPlatform(options)
  const checker = createChecker(readDocument(platformDocument(exampleInstallation(PLATFORM))), platformInterface)
  const checked = <V extends Visitor>(visitor: V): V => ({
    ...visitor,
    async send(method: string, path: string, body?: unknown, headers?: Record<string, string>) {
      const isFramed = method === 'DELETE' && body !== undefined
      const answer = await visitor.send(method, path, body, { ...(isFramed && lengthOf(body)), ...headers })
      const { status, headers: sent, text } = answer
      const findings = checker.check({ method, target: `${PLATFORM}${path}`, status, headers: sent, text })
      expect(findings, `${method} ${path}: ${text}`).toEqual([])
      return answer
    },
  })
  const people: People = {
    test: platform.test,
    anyone: checked(platform.anyone),
    invited: platform.invited,
    signUp: async (name) => checked(await platform.signUp(name)),
    owner: async (slug) => checked(await platform.owner(slug)),
    async joins({ project }, role, name = role) {
      const person = await people.signUp(name)
      await inProjectOf(platform.test.service.database)(project, async (db) => {
        await insertMember(db, project, person.id as AccountId, role)
        await directory.addMember(db, person.id as AccountId, project)
      })
      return person
    },
    everybody: async (owner) => ({
      owner,
      admin: await people.joins(owner, 'admin'),
      viewer: await people.joins(owner, 'viewer'),
      stranger: await people.owner(),
      nobody: people.anyone,
    }),
  }
  return people
}

/** Node sends no length for the body of a DELETE; other clients do. */
const lengthOf = (body: unknown) => ({ 'Content-Length': String(Buffer.byteLength(JSON.stringify(body))) })

/** The whole response as received, without the parts that differ between responses. */
export const bytesOf = ({ status, rawHeaders, text }: Received): string =>
  `${status}\n${rawHeaders.join('\n')}\n${text}`.replace(/^(Request-Id|Date|RateLimit)\n.*/gim, '$1')
