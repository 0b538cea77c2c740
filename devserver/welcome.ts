// The text that `npm run dev` prints once it is ready: what to open, what to paste into
// a terminal, and where to continue. Pure.

export type Ready = {
  api: string
  docs: string
  dashboard: string
  platform: string
  site: string
  inbox: string
  owner: { email: string; password: string }
  apiKey: string
}

type More = {
  seconds: number
  /** File with the settings for the operator's commands; undefined if nothing is kept. */
  operator: string | undefined
  isRehearsing: boolean
  world: string | undefined
}

export function welcomeText(ready: Ready, { seconds, operator, isRehearsing, world }: More): string {
  const { api, docs, dashboard, platform, site, inbox, owner, apiKey } = ready
  const lines = {
    Dashboard: dashboard,
    Owner: `${owner.email}, password "${owner.password}"`,
    Site: site,
    Inbox: `${inbox}   every mail that Petstore sends here`,
    API: api,
    Reference: docs,
    'API key': apiKey,
    Platform: `${platform}   reference: ${docs}/platform`,
    ...(operator !== undefined && {
      Operator: `node --env-file=${operator} server/src/main.ts plans set --project demo --plan pro`,
    }),
    ...(world !== undefined && { Domains: world }),
  }
  const head = Object.entries(lines).map(([name, value]) => `  ${name.padEnd(12)}${value}`)
  const authorization = `-H 'Authorization: Bearer ${apiKey}'`
  return `
Petstore is running (ready in ${seconds.toFixed(1)} s; Ctrl-C stops it).

${head.join('\n')}

Try it:

  curl ${authorization} '${api}/pets?limit=3'

  curl ${authorization} -H 'Content-Type: application/json' \\
       -d '{"name":"Rex","categoryId":9007199254740993}' ${api}/pets
${isRehearsing ? `\n  curl -i ${authorization} -H 'Petstore-Now: 2030-12-05T00:00:00Z' ${api}/pets/1\n` : ''}`
}

/** How a domain is taken further than to its records. */
export const nextStepText = (missing: readonly string[]): string => {
  const what = 'npm run world takes a domain to HTTPS on a test internet'
  return missing.length === 0 ? what : `${what} (needs the Debian packages ${missing.join(', ')})`
}
