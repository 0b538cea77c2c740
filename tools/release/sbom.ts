// The software bill of materials (CycloneDX). npm writes it from the lock; what differs from run to run (serial
// number, time, npm's own version) is replaced by what the commit determines, packages of other platforms are removed,
// and what npm does not know is added: Node, and the Debian packages of the image. Pure.

import { createHash } from 'node:crypto'

export type Component = {
  'bom-ref': string
  type: string
  name: string
  version: string
  purl?: string
  [field: string]: unknown
}
export type Bom = {
  serialNumber: string
  metadata: { timestamp: string; tools?: unknown; component: Component; [field: string]: unknown }
  components: readonly Component[]
  dependencies: readonly { ref: string; dependsOn?: readonly string[] }[]
  [field: string]: unknown
}

export type BomOptions = {
  /** npm takes the name of the folder. */
  name: string
  /** What the release contains; packages are `name@version`. */
  packages: ReadonlySet<string>
  additions: readonly Component[]
  /** Two releases of a commit that differ in their contents have different seeds. */
  seed: string
  seconds: number
}

export function releaseBom(bom: Bom, { name, packages, additions, seed, seconds }: BomOptions): Bom {
  const { tools: _, ...rest } = bom.metadata
  const metadata = { ...rest, component: { ...rest.component, name } }
  const components = bom.components.filter((one) => packages.has(packageOf(one)))
  const refs = new Set([metadata.component, ...components].map((one) => one['bom-ref']))
  return {
    ...bom,
    serialNumber: `urn:uuid:${uuidOf(seed)}`,
    metadata: { ...metadata, timestamp: new Date(seconds * 1000).toISOString() },
    components: [...components, ...additions],
    dependencies: bom.dependencies
      .filter(({ ref }) => refs.has(ref))
      .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((one) => refs.has(one)) })),
  }
}

/** `name` of npm's components lacks the scope. */
export function packageOf({ name, version, purl }: Component): string {
  const scope = /^pkg:npm\/(?:%40|@)([^/]+)\//.exec(purl ?? '')?.[1]
  return scope === undefined || name.startsWith('@') ? `${name}@${version}` : `@${scope}/${name}@${version}`
}

export const nodeComponent = (version: string, cpu: string): Component => ({
  'bom-ref': `node@${version}`,
  type: 'application',
  name: 'node',
  version,
  purl: `pkg:generic/node@${version}?arch=${cpu}`,
  licenses: [{ license: { id: 'MIT' } }],
})

export const debianComponent = (name: string, version: string, architecture: string): Component => ({
  'bom-ref': `deb:${name}@${version}`,
  type: 'library',
  name,
  version,
  purl: `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`,
})

/** What only one of the two has: packages of the bill, and those that are installed. */
export function bomFaults(bom: Bom, installed: ReadonlySet<string>): string[] {
  const listed = new Set(bom.components.filter(({ purl }) => purl?.startsWith('pkg:npm/')).map(packageOf))
  return [
    ...[...listed].filter((one) => !installed.has(one)).map((one) => `${one} is listed and not installed`),
    ...[...installed].filter((one) => !listed.has(one)).map((one) => `${one} is installed and not listed`),
  ]
}

/** A UUID of version 8 (RFC 9562): its bits are those of a digest. */
function uuidOf(seed: string): string {
  const hex = createHash('sha256').update(seed).digest('hex')
  const variant = ((Number.parseInt(hex[16] ?? '0', 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-')
}
