// The servers of the program, found in its sources: each limits its connections and its requests, or is listed here with
// the reason why it does not.

import type { Sources } from './sources.ts'

/** What a file that creates a server must call. */
const guards = {
  connections: /\b(?:guardConnections|capConnections|admitEdges)\(|\.maxConnections = /,
  requests: /\b(?:guardAdmission|admitEdges)\(/,
}

type Guard = keyof typeof guards

/** Without a guard on purpose. */
const exempt: Readonly<Record<string, Partial<Record<Guard, string>>>> = {
  'edge/certificate-routes.ts': {
    connections: 'On loopback alone, for the server in front, which opens one for each of many handshakes.',
    requests: 'On loopback alone, and answered from memory or within a deadline.',
  },
  'foundation/http/admin-thread.io.ts': {
    connections:
      'On loopback unless the operator says otherwise. A cap would let connections of others end monitoring.',
    requests: 'A thread of its own, which reads two numbers: it must answer when all else is overloaded.',
  },
  'sites/pages/visitor-server.io.ts': {
    requests: 'Visitors take turns by site (decision 10): limits would meet the crowd that a newspaper sends.',
  },
}

/** `file: what it lacks`, of each file that creates a server. */
export const unguardedListeners = (sources: Sources): string[] =>
  [...sources].flatMap(([file, text]) => {
    const code = withoutComments(text)
    if (!createsServer(code)) return []
    const missing = (Object.keys(guards) as Guard[]).filter((guard) => !guards[guard].test(code))
    return missing.filter((guard) => !exempt[file]?.[guard]).map((guard) => `${file}: ${guard}`)
  })

/** Reasons for files that create no server, or that have the guard. */
export const needlessExemptions = (sources: Sources): string[] =>
  Object.entries(exempt).flatMap(([file, reasons]) => {
    const code = withoutComments(sources.get(file) ?? '')
    return (Object.keys(reasons) as Guard[])
      .filter((guard) => !createsServer(code) || guards[guard].test(code))
      .map((guard) => `${file}: ${guard}`)
  })

/** A call of Fastify, or of what creates a server in a module of Node, under the name that it is imported as. */
const createsServer = (code: string): boolean => {
  const imports = [...code.matchAll(/import (?:\* as (\w+)|\{([^}]*)\}) from 'node:(?:http2?|https|net|tls)'/g)]
  const calls = imports.flatMap(([, whole, names = '']) => [
    ...(whole === undefined ? [] : [`${whole}\\.create(?:Secure)?Server`, `new ${whole}\\.Server`]),
    ...[...names.matchAll(/\bcreate(?:Secure)?Server\b(?: as (\w+))?/g)].map(([name, as]) => as ?? name),
    ...[...names.matchAll(/(?<!\btype )\bServer\b(?: as (\w+))?/g)].map(([name, as]) => `new ${as ?? name}`),
  ])
  return new RegExp(`(?<![\\w.])(?:${['fastify', ...calls].join('|')})\\(`).test(code)
}

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*/g, '')
