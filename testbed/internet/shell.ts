// Short functions for a shell next to a test internet: each has the ports of this one and trusts
// its authority, so that people need to copy one line and not four long ones. Pure.

export type Around = {
  /** File with the settings of the program, and the program itself. */
  settings: string
  program: string
  /** A resolver, `address` and `port`. */
  resolver: { address: string; port: number }
  store?: {
    /** The entry point of visitors, `address:port`. */
    plain: string
    secure: string
    /** File with the trusted root. */
    root: string
    issuerPin: string
  }
}

export function shellText({ settings, program, resolver, store }: Around): string {
  const petstore = `node --env-file=${quoted(settings)} ${quoted(program)}`
  return `# petstore <command>: the program, with the settings of this world
petstore() { ${petstore} "$@"; }
# lookup <name> [type]: dig, at a resolver of this world
lookup() { dig @${resolver.address} -p ${resolver.port} "$@"; }
${store ? visitorsText(store) : ''}`
}

const visitorsText = ({ plain, secure, root, issuerPin }: NonNullable<Around['store']>): string =>
  `WORLD_HTTP=${plain}
WORLD_HTTPS=${secure}
WORLD_ROOT=${quoted(root)}
WORLD_PIN=${quoted(issuerPin)}
# visit <url>: curl, as a visitor of this world
visit() { curl --silent --show-error --cacert "$WORLD_ROOT" --connect-to ":80:$WORLD_HTTP" --connect-to ":443:$WORLD_HTTPS" "$@"; }
# trace <url>: each hop of a redirect as it is served, and what it means
trace() { petstore domains trace --ca "$WORLD_ROOT" --resolve "*:80:$WORLD_HTTP" --resolve "*:443:$WORLD_HTTPS" "$@"; }
# browse <url>: a browser with nothing remembered, in which every *.test is this world
browse() { chromium --user-data-dir="$(mktemp -d)" --no-first-run \\
  --ignore-certificate-errors-spki-list="$WORLD_PIN" \\
  --host-resolver-rules="MAP *.test:80 $WORLD_HTTP, MAP *.test:443 $WORLD_HTTPS" "$@"; }
`

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
