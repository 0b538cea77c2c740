/*
 * The script of the API reference pages, bundled by build-reference.ts. It is JavaScript and not TypeScript because
 * Scalar's types need the DOM and leave no room for skipLibCheck: false.
 *
 * Everything that would leave this origin is off: fonts, telemetry, proxy, agent, MCP and the link to Scalar's own
 * client. API keys are kept in memory only: one that comes with the address (/docs#api-key=…, as the dashboard links
 * here) is taken out of it before anything else happens, so no history has it. Operations are named by their
 * operationId, in links (/docs#tag/animals/getPet) and in the style rules that the page carries.
 *
 * A try-out sends the key or the token that was entered on the page, and never the cookie of the dashboard, which has
 * the same origin: a reader who is signed in there changes nothing by trying an operation out.
 */
import { createApiReference } from '@scalar/api-reference'
import './reference.css' // oxlint-disable-line import/no-unassigned-import

const mount = document.querySelector('#reference')
const apiKey = takeApiKey()

/** A fragment never leaves the browser, so no log has the key either. */
function takeApiKey() {
  const key = /^#api-key=([\w-]+)$/.exec(location.hash)?.[1]
  if (location.hash.startsWith('#api-key=')) history.replaceState(null, '', location.pathname + location.search)
  return key
}

/** Operations without a try-out, as "GET /store/orders": the page lists them, the button is hidden, and nothing is sent. */
const closed = JSON.parse(mount.dataset.withoutTryOut).map((operation) => {
  const [method, path] = operation.split(' ')
  return { operation, method, path: new RegExp(`${path.replace(/\{[^}]*\}/g, '[^/]+')}/?$`) }
})

async function send(input, init) {
  const request = new Request(input, init)
  const { pathname } = new URL(request.url)
  const refused = closed.find(({ method, path }) => method === request.method && path.test(pathname))
  if (refused) throw new Error(`${refused.operation} has no try-out in this reference.`)
  return fetch(request, { credentials: 'omit' })
}

/** Scalar shows that an operation is deprecated, but not until when. A component that is only text needs no Vue. */
const sunset = () => ({
  name: 'sunset',
  extensions: [
    {
      name: 'x-deprecated-sunset',
      component: (attributes) => `Removed on ${longDate(attributes['x-deprecated-sunset'])}`,
    },
  ],
})

function longDate(date) {
  return new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}

createApiReference(mount, {
  url: mount.dataset.document,
  slug: mount.dataset.slug,
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  proxyUrl: '',
  hideClientButton: true,
  showDeveloperTools: 'never',
  persistAuth: false,
  authentication: {
    preferredSecurityScheme: mount.dataset.scheme,
    ...(apiKey && { securitySchemes: { apiKey: { token: apiKey } } }),
  },
  customFetch: send,
  plugins: [sunset],
  generateOperationSlug: ({ operationId }) => operationId,
  documentDownloadType: 'direct',
  defaultOpenAllTags: true,
  defaultRequestBodyView: 'raw',
  orderSchemaPropertiesBy: 'preserve',
})
