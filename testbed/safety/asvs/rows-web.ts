// Chapters 1 to 5: what comes in and what goes out.

import { documented, inapplicable, shown } from './row.ts'

export const rowsOfWeb = [
  shown(
    '1.2.1',
    'Text becomes HTML through one template tag that escapes every value; mails, the site map and JSON have one writer each. 500 hostile strings are on every page and in every mail.',
    'server/src/foundation/html.test.ts › any text creates no tag, ends no attribute, and is displayed as it was written',
    'server/src/mail/render.test.ts › %s › with any text has no header of the text, for a second parser',
    'testbed/safety/lines/hostile-input.ts › Hostile requests, addresses and texts have no effect',
  ),
  shown(
    '1.2.2',
    'Addresses are built from typed values and encoded by part; links in Markdown lead to http, https and mailto alone; a redirect is built from a known name and leads to no foreign host.',
    'server/src/sites/pages/addresses.test.ts › every address is parsed as it was written',
    'server/src/sites/pages/markdown.test.ts › %j creates no element but a paragraph and a safe link',
    'server/src/edge/decide-redirect.test.ts › every redirect is a single one to a live name of the same project, with path and query byte for byte',
  ),
  shown(
    '1.2.3',
    'No script is generated. JSON in a page is data for search engines, with every character escaped that could end its element.',
    'server/src/foundation/html.test.ts › data for search engines says any text exactly, and none of it ends the element',
  ),
  shown(
    '1.2.4',
    'SQL is written out as constant statements; values travel apart from it. A test reads every statement and fails on one that is put together from anything but constants.',
    'tools/architecture/server.test.ts › server/src › SQL is sent as statements with values, never as text of a request',
    'server/test/projects/tenancy-mutants.test.ts › every query is tested, and there is a mutant of every condition',
  ),
  shown(
    '1.2.5',
    'Child processes get a list of arguments, never a line for a shell; those that read files of strangers have no permission to start anything.',
    'tools/architecture/server.test.ts › server/src › no text is run as code, or as a line of a shell',
    'server/test/photos/process-photo.test.ts › the process › reads no other file, writes none and starts nothing',
  ),
  shown(
    '1.3.1',
    'There is no HTML input. Owners write Markdown, of which a fixed set of elements is rendered (markdown-it, HTML off).',
    'server/src/sites/pages/markdown.test.ts › any text gives well-formed elements of a fixed set',
  ),
  shown(
    '1.3.2',
    'No text is run as code, in the server by rule and in the dashboard by its Content-Security-Policy (no eval, Trusted Types).',
    'tools/architecture/server.test.ts › server/src › no text is run as code, or as a line of a shell',
    'server/src/web/dashboard-routes.test.ts › the page › runs its own scripts and styles, sends requests to its own origin only, and cannot be framed',
  ),
  shown(
    '1.3.4',
    'Drawings (SVG) are ours; an uploaded one is refused, whatever it is named.',
    'server/src/photos/processing/image-header.test.ts › a file that is not an accepted picture › is rejected when markup follows the magic number',
    'server/src/sites/pages/site-files.test.ts › a drawing is well formed, consists of shapes, and loads nothing',
  ),
  shown(
    '1.3.6',
    'Where an owner names the address (a domain, a photo to fetch), reserved networks are never contacted, and the address that was judged is the one that is dialled.',
    'server/test/foundation/fetch-public.test.ts › an address that is not public is not contacted, however it is spelled or reached',
    'server/test/foundation/fetch-public.test.ts › the address that was judged is contacted, although the name has another one a moment later',
    'testbed/safety/lines/hostile-input.ts › Hostile requests, addresses and texts have no effect',
  ),
  shown(
    '1.3.11',
    'Text of people begins no header and no line of a mail.',
    'server/src/mail/render.test.ts › %s › with any text says the same in text and HTML, and has no markup or line of the text',
  ),
  shown(
    '1.5.1',
    'Two small readers of our own (S3 answers, spreadsheets) know no document types and no entities but the five of XML.',
    'server/src/photos/store/xml.test.ts › %s is rejected',
    'server/test/platform/spreadsheet-bombs.test.ts › a limit that was exceeded is named',
  ),

  documented(
    '2.1.1',
    'Schemas are data of the contract, published as OpenAPI documents; the page says where the rules are that a schema cannot express.',
    ['docs/architecture.md#input', 'docs/limits.md#limits'],
    'server/test/v1/contract.test.ts › The OpenAPI document and the server agree › on every field of a body: its type, constraints, default, and that there are no others',
  ),
  shown(
    '2.2.1',
    'Every body, parameter and header is validated by the schema that is published; unknown fields are refused.',
    'server/test/v1/contract.test.ts › The OpenAPI document and the server agree › on every parameter: its bounds, values, form, default, and that there are no others',
    'e2e/fuzz-platform.test.ts › ${PLATFORM_REQUESTS} requests at /platform/v1, by owner, viewer, stranger, token and anonymous, cause no 5xx and no response that violates the OpenAPI document',
  ),
  shown(
    '2.2.2',
    'The server validates; what pages check is for convenience. Tests send requests directly.',
    'e2e/fuzz.test.ts › ${REQUESTS} valid, invalid and hostile requests cause no 5xx and no response that violates the OpenAPI document',
    'server/test/sites/reserve.test.ts › a form with mistakes › comes back filled, with a message next to each field',
  ),
  shown(
    '2.3.1',
    'Requests, animals, imports, deployments and domains are tables of states; a step that is not in the table is refused.',
    'server/src/orders/lifecycle.test.ts › every cell is as stated here',
    'server/src/orders/moves.test.ts › members are offered exactly what would be accepted',
    'server/test/platform/imports.test.ts › an import refuses › to start while parts are missing, which are named, and while there are more than announced',
  ),
  shown(
    '2.3.3',
    'A change, its audit event, its timers and its mails are one transaction.',
    'server/test/foundation/outage.test.ts › while PostgreSQL refuses connections › a request whose connection is ended during it is 503, and nothing of it is stored',
    'testbed/safety/lines/postgres.ts › Nothing that was acknowledged is lost when PostgreSQL fails, and the service recovers',
  ),
  shown(
    '2.3.4',
    'One request at a time holds an animal; the database refuses a second hold whatever a program does.',
    'server/test/orders/property.test.ts › a second hold of one animal cannot be stored, whatever a program does',
  ),
  shown(
    '2.4.1',
    'Whatever is stored or held open has a cap, and every limit rejects one more.',
    'testbed/safety/lines/coverage.ts › Every table has a cap, and every limit rejects one more',
    'testbed/safety/lines/hoarding.ts › One network cannot empty a shop window',
  ),

  shown(
    '3.2.1',
    'Every response has its type and nosniff. Photos are encoded again, and pictures are sent with a policy that runs nothing; a preview is sandboxed and framed by our own pages alone; JSON is never a page.',
    'server/test/v1/http.test.ts › every response › %s (%d) has a Request-Id, nosniff, HSTS and CORS for every origin',
    'server/test/sites/platform-preview.test.ts › previewSite › may be framed by our own pages, executes and loads nothing, and is not cacheable',
    'server/test/sites/platform-preview.test.ts › getLogo › returns the bytes of a picture that is %s, and lets a browser do nothing else with it',
  ),
  shown(
    '3.2.2',
    'React writes text as text, and Trusted Types forbid everything else; 500 hostile strings are shown as stored in every field.',
    'e2e/dashboard/hostile.test.ts › Hostile requests of visitors are shown as stored, in every field',
    'e2e/dashboard/hostile.test.ts › A page that interprets text as markup is reported (negative control)',
  ),
  shown(
    '3.3.1',
    'Two cookies, for session and device, both `__Host-` and Secure. Sites set none.',
    'server/test/platform/accounts.test.ts › the cookie › of a sign-up, a sign-in and a new password has exactly these flags, and no Domain',
    'server/test/sites/pages.test.ts › the headers of a site › every response restricts what a page may do, and sets no cookie',
  ),
  shown(
    '3.3.2',
    'SameSite=Lax, and state-changing requests must come from the dashboard besides.',
    'server/test/platform/accounts.test.ts › the cookie › of a sign-up, a sign-in and a new password has exactly these flags, and no Domain',
  ),
  shown(
    '3.3.3',
    'All cookies have the prefix `__Host-`.',
    'server/test/platform/accounts.test.ts › the cookie › of a sign-up, a sign-in and a new password has exactly these flags, and no Domain',
  ),
  shown(
    '3.3.4',
    'All cookies are HttpOnly.',
    'server/test/platform/accounts.test.ts › the cookie › of a sign-up, a sign-in and a new password has exactly these flags, and no Domain',
  ),
  shown(
    '3.4.1',
    'One year, on dashboard, API and sites, wherever we have the certificate. Not for subdomains: those of an owner are not ours.',
    'server/test/v1/http.test.ts › every response › %s (%d) has a Request-Id, nosniff, HSTS and CORS for every origin',
    'server/test/platform/dashboard.test.ts › the page of the dashboard › is at %s, and a browser returns over TLS only',
    'server/test/edge/visitors.test.ts › carries HSTS for a year, only over TLS, and only for names whose certificate the edge has',
  ),
  shown(
    '3.4.2',
    'The APIs allow every origin and never credentials, so a page of another origin reads only what it has a key or a token for (decision 2).',
    'server/test/v1/http.test.ts › OPTIONS › CORS: origin *, no credentials, the four request headers by name, cached for a day',
    'server/test/platform/preflight.test.ts › the preflight of /platform/v1 › opens nothing to a session: a page of another origin changes nothing with a cookie',
  ),
  shown(
    '3.4.3',
    'Dashboard, sites, notices and the API reference have a policy each; none allows inline scripts.',
    'server/src/web/dashboard-routes.test.ts › the page › runs its own scripts and styles, sends requests to its own origin only, and cannot be framed',
    'server/test/sites/pages.test.ts › the headers of a site › every response restricts what a page may do, and sets no cookie',
  ),
  shown(
    '3.4.4',
    'On every response, errors of the parser included.',
    'server/test/v1/http.test.ts › every response › %s (%d) has a Request-Id, nosniff, HSTS and CORS for every origin',
  ),
  shown(
    '3.4.6',
    'No page can be framed; the preview of a site by the dashboard alone.',
    'e2e/preview.test.ts › a page of another origin cannot frame the preview',
  ),
  shown(
    '3.5.1',
    'A state-changing request with a cookie must carry the Origin of the dashboard. Forms of sites carry a token for this animal and this store, and must come from the site.',
    'server/test/platform/accounts.test.ts › a page of another origin › with %s changes nothing',
    'server/test/sites/reserve.test.ts › a form with mistakes › is not accepted with the token of another animal or of another store',
  ),
  shown(
    '3.5.2',
    'No protection depends on the preflight: the Origin is checked on each request, and a body must be JSON.',
    'server/test/platform/accounts.test.ts › a page of another origin › with %s changes nothing',
    'server/test/platform/preflight.test.ts › the preflight of /platform/v1 › opens nothing to a session: a page of another origin changes nothing with a cookie',
  ),
  shown(
    '3.5.3',
    'GET and HEAD change nothing: links in mails open a page with a button, which sends a POST.',
    'server/test/mail/notifications.test.ts › settings › the address in a mail turns its topic off with one POST and without a cookie; a GET does not',
    'e2e/dashboard/notifications.test.ts › A link in a mail turns its topic off once its button is pressed, and not by being opened',
  ),
  shown(
    '3.7.2',
    'After signing in, a page of this dashboard follows, whatever the link contained.',
    'e2e/dashboard/accounts.test.ts › Signing in redirects to no foreign address, whatever the link contains',
  ),

  shown(
    '4.1.1',
    'Text and XML name UTF-8; JSON and event streams are UTF-8 by definition.',
    'server/test/sites/pages.test.ts › the headers of a site › every text names its charset: pages, styles, drawings, the site map',
    'server/test/v1/http.test.ts › 200 to GET › %s has a weak ETag, Cache-Control and Vary',
  ),
  shown(
    '4.1.3',
    'A client’s X-Forwarded-For counts only behind a trusted proxy, and headers of our own are deleted by Caddy first.',
    'server/test/v1/limits.test.ts › failed authentications › are not counted for an address that a client claims itself',
    'e2e/caddy.test.ts › a plain HTTP request has no server name, and a visitor cannot forge one',
  ),
  shown(
    '4.2.1',
    'A request with two framings is refused at once; 500 smuggling cases cross nothing, over HTTP/2 through Caddy as well.',
    'server/test/v1/raw-framing.test.ts › a request with two framings is answered at once',
    'e2e/caddy-smuggling.test.ts › Caddy turns no HTTP/2 header or body into a second request',
    'testbed/safety/lines/hostile-input.ts › Hostile requests, addresses and texts have no effect',
  ),
  inapplicable(
    '4.4.1',
    'There are no WebSockets: pages are notified by event streams over HTTPS. An Upgrade is ignored, and the connection ends with its response.',
  ),

  shown(
    '5.2.1',
    'Bodies, photos, logos and imports have limits in bytes, pixels and rows, checked while they come in; what reads them is a process with a memory limit.',
    'server/test/photos/api.test.ts › an upload is refused › of a stranger, a viewer, for no animal, or larger than 20 MB',
    'server/test/platform/imports.test.ts › an import refuses › a part that is too large, empty, of another type or without a number',
    'server/test/photos/process-photo.test.ts › the process › is killed when it takes too much memory, and the next photo is processed',
  ),
  shown(
    '5.2.2',
    'A picture is recognised by its bytes, not by its name. A photo is encoded again; of a logo the container is copied without what is not the picture. A spreadsheet must be readable as what it is.',
    'server/test/photos/hostile.test.ts › 66 hostile pictures crash nothing, and none is accepted wrongly ⊢ expect(figures.findings.filter((finding) => !isAboutTime(finding))).toEqual([])',
    "server/test/photos/api.test.ts › an upload is refused › if it is no picture that is taken, with a reason, and nothing is stored ⊢ expect(await refusedOf(Buffer.from('%PDF-1.4'))).toEqual([400, 'invalid_image'])",
    'server/test/photos/process-photo.test.ts › metadata and orientation › 24 photos with a position, in all orientations, are served upright and without metadata ⊢ toEqual({ served: 72, findings: [] })',
    'server/test/sites/platform-site.test.ts › a logo › is stored without what its file has besides the picture: Exif with the place, comments, what follows the end ⊢ expect(extras.filter((what) => stored.includes(what))).toEqual([])',
    "server/test/platform/imports.test.ts › a file that cannot be read › %s fails with a reason, whatever the option for invalid rows, and adds nothing ⊢ expect([result.state, result.added]).toEqual(['failed', 0])",
  ),
  shown(
    '5.2.3',
    'Spreadsheets are unpacked within limits; twenty kinds of bombs are.',
    'server/test/platform/spreadsheet-bombs.test.ts › %s is rejected or read, within 256 MB',
  ),
  shown(
    '5.3.1',
    'Files of people are rows of the database or objects of a bucket, in no folder of a web server; the server runs none of them. Only files that were listed at the start are served from the disk.',
    'server/test/platform/dashboard.test.ts › next to the dashboard › %s %s is 404 with the one Error body',
    'server/test/photos/process-photo.test.ts › the files of a photo › are a master, variants that are not enlarged, and a JPEG to share',
  ),
  shown(
    '5.3.2',
    'Objects are named by digest or by an id of ours, temporary files by a random one; no name that a client sends reaches a path.',
    'server/test/sites/photos.test.ts › masters, other widths and recipes, other spellings and photos that are not ready are not found',
    'server/src/sites/pages/site-files.test.ts › an address leads to its file, and no other spelling does',
  ),
]
