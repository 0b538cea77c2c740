// Short words for a shell beside a world: each finds the ports of this world and trusts
// its authority, so that people need to copy one line and not four long ones. Pure.

export type Around = {
  /** Where visitors come in, `address:port`. */
  plain: string
  secure: string
  /** Files: what is trusted here, and the settings of the program. */
  root: string
  settings: string
  /** The program itself. */
  program: string
  issuerPin: string
}

export function shellText({ plain, secure, root, settings, program, issuerPin }: Around): string {
  const petstore = `node --env-file=${quoted(settings)} ${quoted(program)}`
  const places = `--resolve '*:80:${plain}' --resolve '*:443:${secure}'`
  return `# visit <url>: curl, as a visitor of this world
visit() { curl --silent --show-error --cacert ${quoted(root)} --connect-to :80:${plain} --connect-to :443:${secure} "$@"; }
# trace <url>: each hop of a redirect as it is served, and what it means
trace() { ${petstore} domains trace --ca ${quoted(root)} ${places} "$@"; }
# browse <url>: a browser with nothing remembered, in which every *.test is this world
browse() { chromium --user-data-dir="$(mktemp -d)" --no-first-run \\
  --ignore-certificate-errors-spki-list=${issuerPin} \\
  --host-resolver-rules='MAP *.test:80 ${plain}, MAP *.test:443 ${secure}' "$@"; }
# petstore <command>: the program, with the settings of this world
petstore() { ${petstore} "$@"; }
`
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
