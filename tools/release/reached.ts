// The modules of a release: exactly what the executable reaches, directly and indirectly. So a test, a fake or a tool
// can be part of a release only if production code imports it, which tools/architecture forbids. Pure.

import { compiled, type Compiled } from './javascript.ts'

export const EXECUTABLE = 'server/bin/petstore.js'

export function reachedModules(read: (path: string) => string, from = EXECUTABLE): readonly Compiled[] {
  const modules = new Map<string, Compiled>()
  const visit = (path: string) => {
    if (modules.has(path)) return
    const module = compiled(path, read(path))
    modules.set(path, module)
    module.uses.forEach(visit)
  }
  visit(from)
  return [...modules.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
}
