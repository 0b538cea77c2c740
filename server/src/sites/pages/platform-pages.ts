// The few pages of the platform itself, which belong to no site: they reveal nothing
// about any project, not even that it exists.

import { hash } from 'node:crypto'
import { html, type Html } from '../../foundation/html.ts'

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
  suspended: {
    status: 503,
    title: 'This site is closed for now',
    text: 'It cannot be visited at the moment. Please try again another day.',
    headers: { 'Retry-After': '3600' },
  },
  notSent: {
    status: 503,
    title: 'Your form was not sent',
    text: 'This site can be viewed but cannot accept forms right now. Please go back and send the form again in a few minutes.',
    headers: { 'Retry-After': '60' },
  },
} as const satisfies Record<string, Notice>

/** Inside the page, since a page of the platform loads no resources. The policy of the page allows it by its hash. */
const style = [
  ':root{color-scheme:light dark}',
  'body{display:grid;place-items:center;min-height:100vh;margin:0;padding:1.5rem;box-sizing:border-box;',
  'background:light-dark(#fcfaf5,#111614);color:light-dark(#1b2621,#eff1ec);',
  'font:1.0625rem/1.55 system-ui,sans-serif;text-align:center;overflow-wrap:anywhere}',
  'main{max-width:30rem}svg{width:4.5rem;height:4.5rem}',
  'h1{margin:1rem 0 .5rem;font-size:1.75rem;line-height:1.2;letter-spacing:-.02em;text-wrap:balance}',
  'p{margin:0;color:light-dark(#545f59,#adb5ae)}',
  '.house{fill:light-dark(#086d50,#58c69d)}.eye{fill:light-dark(#fcfaf5,#111614)}.heart{fill:#ef9736}',
].join('')

const styleElement = html`<style>
  ${style}
</style>`
const content = styleElement.text.slice('<style>'.length, -'</style>'.length)
export const noticeStyleHash = `sha256-${hash('sha256', content, 'base64')}`

/** The mark of the product. A style sheet colours its `.house`, `.eye` and `.heart`, and sets its size. */
export const mark = html`<svg viewBox="0 0 32 32" aria-hidden="true">
  <path
    class="house"
    d="M4 6.2C4 4 6.5 2.8 8.2 4.2l4.3 3.5h7l4.3-3.5C25.5 2.8 28 4 28 6.2V18c0 6.6-5.4 11.5-12 11.5S4 24.6 4 18Z"
  />
  <circle class="eye" cx="10.8" cy="15.6" r="1.9" />
  <circle class="eye" cx="21.2" cy="15.6" r="1.9" />
  <path
    class="heart"
    d="M16 24.7c-2.7-1.9-4.2-3.3-4.2-5a2.2 2.2 0 0 1 4.2-.9 2.2 2.2 0 0 1 4.2.9c0 1.7-1.5 3.1-4.2 5Z"
  />
</svg>`

export const noticePage = ({ title, text }: Notice): Html =>
  html`<!doctype html>
    <html lang="en" dir="ltr">
      <head>
        <meta charset="utf-8" />
        <title>${title}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${styleElement}
      </head>
      <body>
        <main>
          ${mark}
          <h1>${title}</h1>
          <p>${text}</p>
        </main>
      </body>
    </html> `
