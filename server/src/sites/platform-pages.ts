// The few pages of the platform itself, which belong to no site: they reveal nothing
// about any project, not even that it exists.

import { html, type Html } from '../foundation/html.ts'

export type Notice = { status: number; title: string; text: string; headers?: Readonly<Record<string, string>> }

export const notices = {
  malformed: { status: 400, title: 'This request cannot be understood', text: 'It must name exactly one host.' },
  foreign: {
    status: 403,
    title: 'This form was sent from another site',
    text: 'Please open the page of the animal itself and send the form from there.',
  },
  unpublished: { status: 404, title: 'No site here yet', text: 'Nothing has been published at this address.' },
  method: {
    status: 405,
    title: 'This is not possible here',
    text: 'You can only view pages and send forms here.',
    headers: { Allow: 'GET, HEAD, POST' },
  },
  tooLarge: {
    status: 413,
    title: 'The message is too long',
    text: 'Please write a shorter message and send the form again.',
  },
  wrongType: { status: 415, title: 'This is not a form', text: 'Please use the form on the page of the animal.' },
  unknown: {
    status: 421,
    title: 'Site not found',
    text: 'There is no site at this address. Please check the spelling.',
  },
  failed: { status: 500, title: 'Something went wrong', text: 'This is our fault. Please try again in a moment.' },
  unavailable: {
    status: 503,
    title: 'Just a moment',
    text: 'This site cannot be shown right now. Please try again shortly.',
    headers: { 'Retry-After': '1' },
  },
  notSent: {
    status: 503,
    title: 'Your form was not sent',
    text: 'This site can be viewed but cannot accept forms right now. Please go back and send the form again in a few minutes.',
    headers: { 'Retry-After': '60' },
  },
} as const satisfies Record<string, Notice>

/** Without any style: a page of the platform loads no resources. */
export const noticePage = ({ title, text }: Notice): Html =>
  html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          <p>${text}</p>
        </main>
      </body>
    </html> `
