// The package.json of a release. It names what runs and what it needs, exactly; it has no scripts, so installing it
// executes nothing, and no dependency that is not published. Pure.

export type ServerManifest = {
  version: string
  description: string
  license: string
  dependencies: Record<string, string>
}

export type ReleaseManifest = ReturnType<typeof releaseManifest>

export function releaseManifest(server: ServerManifest, engines: { node: string }, gitHead: string, version: string) {
  const dependencies = Object.fromEntries(
    Object.entries(server.dependencies).filter(([name]) => !name.startsWith('@petstore-platform/')),
  )
  for (const [name, range] of Object.entries(dependencies)) {
    if (!/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(range)) throw new Error(`${name} is not pinned exactly: ${range}`)
  }
  return {
    name: '@petstore-platform/petstore',
    version,
    description: server.description,
    license: server.license,
    type: 'module' as const,
    bin: { petstore: 'bin/petstore.js' },
    engines,
    exports: {},
    dependencies,
    gitHead,
  }
}

/** A version that cannot be mistaken for a release: of a work tree with changes that no commit has. */
export const versionOf = (version: string, isDirty: boolean): string => (isDirty ? `${version}-dirty` : version)
