// The site settings of a project: what its owner publishes about it. A draft can be changed at
// any time; a deployment is a snapshot of the draft and publishes it.

import { Type, type Static } from 'typebox'
import { Int64 } from '../int64.ts'
import type { Parameter } from '../parameters.ts'
import { MARKS_DESCRIPTION } from './markdown.ts'
import { member, projectSlug, type PlatformOperation } from './operation.ts'
import { VisitorQuestion, QUESTIONS_FAULT, QUESTIONS_MAX } from './questions.ts'

export const TITLE_LENGTH_MAX = 100
export const TAGLINE_LENGTH_MAX = 200
export const ABOUT_LENGTH_MAX = 20_000
/** Of the page that prints several animals. */
export const SHEETS_MAX = 30
export const LOGO_BYTES_MAX = 512 * 1024
export const LOGO_PIXELS_MAX = 4096
/** The size of the largest text about a store, plus all other settings. */
const SETTINGS_BYTES_MAX = 128 * 1024
export const languages = ['en', 'de', 'fr', 'es'] as const
export type Language = (typeof languages)[number]
/** How a site looks: `meadow` is round and friendly, `journal` is square and set like a magazine. */
export const looks = ['meadow', 'journal'] as const
export type Look = (typeof looks)[number]
/** Of every site that was stored before there was a choice. */
export const FIRST_LOOK: Look = 'meadow'
/** No SVG: it can contain a script. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
export type ImageType = (typeof imageTypes)[number]

const line = (most: number, description: string, least = 0) =>
  Type.Unsafe<string>({
    type: 'string',
    minLength: least,
    maxLength: most,
    pattern: '^[^\\u0000-\\u001F\\u007F]*$',
    description,
  })

const LOOK_DESCRIPTION = 'Shapes and typefaces of the site: round and friendly, or square with a serif.'
const lookWith = (description: string) => Type.Unsafe<Look>({ type: 'string', enum: [...looks], description })

const LANGUAGES_DESCRIPTION =
  'Further languages: every page exists in each of them as well, under its code, such as /de/. Texts of the owner stay as they are written.'
const languagesWith = (description: string) =>
  Type.Unsafe<readonly Language[]>({
    type: 'array',
    items: { type: 'string', enum: [...languages] },
    uniqueItems: true,
    maxItems: languages.length - 1,
    description,
  })

const QUESTIONS_DESCRIPTION =
  'What visitors who ask for an animal are asked besides their name and contact, as the owner wrote it; null asks the usual questions of the kind of the project, in the language of the page.'
const questionsWith = (description: string) =>
  Type.Unsafe<readonly VisitorQuestion[] | null>({
    anyOf: [Type.Array(VisitorQuestion, { maxItems: QUESTIONS_MAX }), { type: 'null' }],
    description,
  })

export const Contact = Type.Object(
  {
    email: line(254, 'Shown as a link; empty if there is none.'),
    phone: line(50, 'Shown as a link; empty if there is none.'),
    address: line(300, 'Where visitors find the store; empty if there is none.'),
  },
  { $id: 'Contact', additionalProperties: false },
)

export const SiteSettings = Type.Object(
  {
    title: line(TITLE_LENGTH_MAX, 'Name of the store, on every page.', 1),
    tagline: line(TAGLINE_LENGTH_MAX, 'One sentence under the name.'),
    about: Type.Unsafe<string>({
      type: 'string',
      maxLength: ABOUT_LENGTH_MAX,
      pattern: '^[^\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F]*$',
      description: `Text about the store, in Markdown. HTML in it is shown as text. ${MARKS_DESCRIPTION}`,
    }),
    themeColor: Type.Unsafe<string>({ type: 'string', pattern: '^#[0-9a-f]{6}$', description: 'Colour of the site.' }),
    look: lookWith(LOOK_DESCRIPTION),
    language: Type.Unsafe<Language>({
      type: 'string',
      enum: [...languages],
      description: 'Main language of the site, in which the owner writes.',
    }),
    languages: languagesWith(LANGUAGES_DESCRIPTION),
    contact: Contact,
    hiddenCategories: Type.Array(Type.Unsafe<bigint>({ ...Int64 }), {
      maxItems: 1000,
      description: 'Categories whose animals are not shown.',
    }),
    questions: questionsWith(QUESTIONS_DESCRIPTION),
  },
  { $id: 'SiteSettings', additionalProperties: false },
)
export type SiteSettings = Static<typeof SiteSettings>

/** The settings of a new project's site until an admin changes them. */
export const firstSettings = (title: string): SiteSettings => ({
  // By characters: half of a surrogate pair could not be stored.
  title: Array.from(title).slice(0, TITLE_LENGTH_MAX).join(''),
  tagline: '',
  about: '',
  themeColor: '#0f766e',
  look: FIRST_LOOK,
  language: 'en',
  languages: [],
  contact: { email: '', phone: '', address: '' },
  hiddenCategories: [],
  questions: null,
})

const version = Type.Integer({
  minimum: 0,
  maximum: 999_999_999,
  description: 'Increases with each change of the draft, including its logo.',
})

export const Logo = Type.Object(
  {
    digest: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of its bytes.' }),
    type: Type.Unsafe<ImageType>({ type: 'string', enum: [...imageTypes], description: 'Detected from its bytes.' }),
  },
  { $id: 'Logo' },
)

export const Site = Type.Object(
  {
    version,
    ...SiteSettings.properties,
    logo: Type.Unsafe<Static<typeof Logo> | null>({
      oneOf: [Logo, { type: 'null' }],
      description: 'The image shown on every page; null if there is none.',
    }),
  },
  { $id: 'Site', description: 'The draft of the site: the content of the next deployment.' },
)
export type Site = Static<typeof Site>

export const SiteChange = Type.Object(
  {
    version,
    ...SiteSettings.properties,
    // Clients from before there was a choice do not send them.
    look: Type.Optional(lookWith(`${LOOK_DESCRIPTION} Stays as it is if it is left out.`)),
    languages: Type.Optional(languagesWith(`${LANGUAGES_DESCRIPTION} Stay as they are if they are left out.`)),
    questions: Type.Optional(questionsWith(`${QUESTIONS_DESCRIPTION} Stay as they are if they are left out.`)),
  },
  { $id: 'SiteChange', additionalProperties: false },
)
export type SiteChange = Static<typeof SiteChange>

export const settingsExample = {
  title: 'Happy Paws',
  tagline: 'Cats and dogs looking for a home',
  about: 'We are open on **Saturdays**.',
  themeColor: '#0f766e',
  look: 'meadow',
  language: 'en',
  languages: ['de'],
  contact: { email: 'mia@happy-paws.example', phone: '+49 30 1234567', address: 'Hauptstraße 1, Berlin' },
  hiddenCategories: [7],
  questions: [
    { kind: 'yes_no', text: 'Do other animals live with you?', isRequired: true, choices: [] },
    { kind: 'choice', text: 'Where do you live?', isRequired: false, choices: ['House', 'Flat'] },
  ],
}
const siteExample = {
  version: 4,
  ...settingsExample,
  logo: { digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08', type: 'image/png' },
}

/** The main language is compared by the server: a schema cannot. */
export const LANGUAGES_FAULT = `'languages' must be a list of ${languages.join(', ')}, each once, without the main language.`

/** What a schema cannot say, of contacts that a change brings. */
export const contactFaults = {
  email: "'email' must be an email address such as hello@happy-paws.example, or empty.",
  phone: "'phone' must be a phone number such as +49 30 1234567, or empty.",
} as const

const lineFault = (field: string, most: number) =>
  `'${field}' must be text of at most ${most} characters without control characters.`

export const getSite = {
  operationId: 'getSite',
  method: 'GET',
  path: '/projects/{project}/site',
  tag: 'site',
  access: 'viewer',
  summary: 'Show the draft',
  description: 'The content of the next deployment. Visitors see the current deployment.',
  parameters: { project: projectSlug },
  success: { status: 200, description: 'The draft.', schema: Site, headers: ['ETag'], example: siteExample },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const putSite = {
  operationId: 'putSite',
  method: 'PUT',
  path: '/projects/{project}/site',
  tag: 'site',
  access: 'admin',
  summary: 'Change the draft',
  description:
    'Replaces all settings (the look, the further languages and the questions only if they are sent), based on the given version of the draft. Rejected if the draft has changed since that version, so that no change is overwritten unseen. An `email` or `phone` that differs from the stored one must be an address or a number.',
  parameters: { project: projectSlug },
  body: {
    schema: SiteChange,
    bytesMax: SETTINGS_BYTES_MAX,
    faults: {
      version: "'version' must be the version at which the draft was read, an integer from 0.",
      title: `'title' must have 1 to ${TITLE_LENGTH_MAX} characters, without control characters.`,
      tagline: lineFault('tagline', TAGLINE_LENGTH_MAX),
      about: `'about' must be text of at most ${ABOUT_LENGTH_MAX} characters, without control characters but line breaks and tabs.`,
      themeColor: "'themeColor' must be a colour such as #0f766e, in lower case.",
      look: `'look' must be one of ${looks.join(', ')}.`,
      language: `'language' must be one of ${languages.join(', ')}.`,
      languages: LANGUAGES_FAULT,
      contact:
        "'contact' must hold email, phone and address, of at most 254, 50 and 300 characters, without control characters.",
      hiddenCategories: "'hiddenCategories' must be a list of at most 1000 ids of categories.",
      questions: QUESTIONS_FAULT,
    },
    examples: { one: { summary: 'All settings', value: { version: 3, ...settingsExample } } },
  },
  success: { status: 200, description: 'The draft.', schema: Site, headers: [], example: siteExample },
  otherStatuses: [...member, 409],
} as const satisfies PlatformOperation

export const putLogo = {
  operationId: 'putLogo',
  method: 'PUT',
  path: '/projects/{project}/site/logo',
  tag: 'site',
  access: 'admin',
  summary: 'Upload a logo',
  description:
    'Adds a logo to the draft: PNG, JPEG or WebP, not animated. The type is detected from the bytes, not from the file name.',
  parameters: { project: projectSlug },
  body: {
    types: imageTypes,
    bytesMax: LOGO_BYTES_MAX,
    description: `The file: at most 512 KiB, and at most ${LOGO_PIXELS_MAX} pixels wide and high.`,
  },
  success: { status: 200, description: 'The draft.', schema: Site, headers: [], example: siteExample },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const deleteLogo = {
  operationId: 'deleteLogo',
  method: 'DELETE',
  path: '/projects/{project}/site/logo',
  tag: 'site',
  access: 'admin',
  summary: 'Remove the logo',
  description: 'Removes it from the draft; existing deployments keep it.',
  parameters: { project: projectSlug },
  success: {
    status: 200,
    description: 'The draft.',
    schema: Site,
    headers: [],
    example: { ...siteExample, logo: null },
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const getLogo = {
  operationId: 'getLogo',
  method: 'GET',
  path: '/projects/{project}/site/logo',
  tag: 'site',
  access: 'viewer',
  summary: "Show the draft's logo",
  description: 'The image as it was uploaded.',
  parameters: { project: projectSlug },
  success: {
    status: 200,
    description: 'The image.',
    types: imageTypes,
    headers: ['Content-Security-Policy'],
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

/** The site has no other kinds of page that differ as much; the text about the store is on its home page. */
export const previewPages = ['home', 'animal'] as const
export type PreviewPage = (typeof previewPages)[number]

const previewPage: Parameter<PreviewPage, 'query'> = {
  in: 'query',
  description: 'The page to preview; the home page by default. The animal is the newest one that can be reserved.',
  schema: { type: 'string', enum: [...previewPages] },
  refusal: 'invalid_parameter',
}

export const previewSite = {
  operationId: 'previewSite',
  method: 'GET',
  path: '/projects/{project}/site/preview',
  tag: 'site',
  access: 'viewer',
  summary: 'Preview the draft',
  description:
    'A page of the site as if the draft were deployed now, with the current animals. For a frame of the dashboard: it loads no resources, runs no scripts, and its links and form are disabled.',
  parameters: { project: projectSlug, page: previewPage },
  success: {
    status: 200,
    description: 'The page.',
    type: 'text/html; charset=utf-8',
    headers: ['Content-Security-Policy'],
  },
  otherStatuses: member,
} as const satisfies PlatformOperation

export const siteOperations: readonly PlatformOperation[] = [
  getSite,
  putSite,
  getLogo,
  putLogo,
  deleteLogo,
  previewSite,
]
