// The security headers of the dashboard's page, and the page that replaces it where it
// was not built. The page runs its own scripts and styles, sends requests to its own
// origin only, cannot be framed, and cannot turn text into script.

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "manifest-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
]

/** In addition to those of every response: nosniff, no-referrer and HSTS. */
export const dashboardHeaders = {
  'content-security-policy': policy.join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy':
    'publickey-credentials-get=(self), publickey-credentials-create=(self), camera=(), microphone=(), geolocation=()',
}

export const missingHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
}

export const missingPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Petstore</title>
</head>
<body>
<h1>The dashboard has not been built on this machine</h1>
<p>To build it: <code>npm run build -- dashboard</code>, then restart.</p>
<p>The rest works: the API reference is at <a href="/docs">/docs</a>.</p>
</body>
</html>
`
