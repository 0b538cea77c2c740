// Renders a mail as HTML: inline styles, since many programs ignore all others, a dark variant for
// those that do not, no images and nothing that is loaded from elsewhere.

import { html, type Html } from '../foundation/html.ts'
import { oneLine, type Block, type Mail } from './mail.ts'

const font = 'font-family: system-ui, -apple-system, Segoe UI, Roboto, sans-serif;'

export function mailHtml({ language, subject, blocks, footer, turnOff }: Mail): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${oneLine(subject)}</title>
        <style>
          @media (prefers-color-scheme: dark) {
            .ground {
              background: #1b1d1a !important;
            }
            .sheet {
              background: #262925 !important;
              color: #ecefe9 !important;
            }
            .records {
              background: #1b1d1a !important;
            }
            .quiet {
              color: #a9b0a4 !important;
            }
            .button {
              background: #8cc5a0 !important;
              color: #12231a !important;
            }
          }
        </style>
      </head>
      <body class="ground" style="margin: 0; padding: 24px 12px; background: #f5f3ee;">
        <div
          class="sheet"
          style="max-width: 520px; margin: 0 auto; padding: 28px 24px; border-radius: 12px; background: #ffffff; color: #23261f; ${font} font-size: 16px; line-height: 1.5; overflow-wrap: anywhere;"
        >
          ${blocks.map(blockHtml)}
        </div>
        <p
          class="quiet"
          style="max-width: 520px; margin: 16px auto 0; padding: 0 24px; color: #62685c; ${font} font-size: 13px; line-height: 1.5;"
        >
          ${oneLine(footer)} ${turnOff ? turnOffHtml(turnOff) : ''}
        </p>
      </body>
    </html>`.text
}

const turnOffHtml = ({ text, url }: { text: string; url: string }): Html =>
  html`<a class="quiet" href="${oneLine(url)}" style="color: #62685c;">${oneLine(text)}</a>`

/** `code` between backticks, the rest as text. */
const codeIn = (text: string): Html[] =>
  text
    .split(/`([^`]+)`/)
    .map((part, index) =>
      index % 2 === 0
        ? html`${part}`
        : html`<code style="font-family: ui-monospace, Consolas, monospace; font-size: 14px; overflow-wrap: anywhere;"
            >${part}</code
          >`,
    )

/** A longer label, such as a question, stands above its value: beside it, a phone has no room for both. */
const SHORT = 12

function blockHtml(block: Block): Html {
  switch (block.kind) {
    case 'heading':
      return html`<h1 style="margin: 0 0 16px; font-size: 21px; line-height: 1.3;">${oneLine(block.text)}</h1>`
    case 'paragraph':
      return html`<p style="margin: 0 0 16px;">${oneLine(block.text)}</p>`
    case 'advice':
      return html`<p style="margin: 0 0 16px;">${codeIn(oneLine(block.text))}</p>`
    case 'facts':
      return html`<table role="presentation" style="margin: 0 0 16px; border-collapse: collapse;">
        ${block.facts.map(([label, value]) =>
          label.length > SHORT
            ? html`<tr>
                  <td class="quiet" colspan="2" style="padding: 6px 0 0; color: #62685c;">${oneLine(label)}</td>
                </tr>
                <tr>
                  <td colspan="2" style="padding: 0 0 6px; overflow-wrap: anywhere;">${oneLine(value)}</td>
                </tr>`
            : html`<tr>
                <td
                  class="quiet"
                  style="width: 1%; padding: 2px 16px 2px 0; color: #62685c; white-space: nowrap; vertical-align: top;"
                >
                  ${oneLine(label)}
                </td>
                <td style="padding: 2px 0; vertical-align: top; overflow-wrap: anywhere;">${oneLine(value)}</td>
              </tr>`,
        )}
      </table>`
    case 'records':
      return html`<table
        class="records"
        style="width: 100%; margin: 0 0 16px; padding: 8px 12px; border-radius: 8px; background: #f5f3ee; font-family: ui-monospace, Consolas, monospace; font-size: 14px;"
      >
        ${block.records.map(
          ({ name, type, value }) =>
            html`<tr>
              <td style="padding: 2px 12px 2px 0; overflow-wrap: anywhere;">${oneLine(name)}</td>
              <td style="padding: 2px 12px 2px 0;">${oneLine(type)}</td>
              <td style="padding: 2px 0; overflow-wrap: anywhere;">${oneLine(value)}</td>
            </tr>`,
        )}
      </table>`
    case 'button':
      return html`<p style="margin: 24px 0;">
        <a
          class="button"
          href="${oneLine(block.url)}"
          style="display: inline-block; padding: 12px 20px; border-radius: 8px; background: #2f6f4f; color: #ffffff; text-decoration: none; font-weight: 600;"
          >${oneLine(block.text)}</a
        >
      </p>`
  }
}

// Renders a mail as plain text. Values of people are on one line each, so that none of them can
// pass for a line of ours.

export function mailText({ blocks, footer, turnOff }: Mail): string {
  const last = [oneLine(footer), ...(turnOff ? [`${oneLine(turnOff.text)}:\n${oneLine(turnOff.url)}`] : [])]
  return `${[...blocks.map(blockText), `-- \n${last.join('\n')}`].join('\n\n')}\n`
}

/** A question needs no colon. */
const labelOf = (label: string) => (label.endsWith('?') ? oneLine(label) : `${oneLine(label)}:`)

function blockText(block: Block): string {
  switch (block.kind) {
    case 'heading':
    case 'paragraph':
    case 'advice':
      return oneLine(block.text)
    case 'facts':
      return block.facts.map(([label, value]) => `${labelOf(label)} ${oneLine(value)}`).join('\n')
    case 'records':
      return block.records
        .map(({ name, type, value }) => `${oneLine(name)}  ${oneLine(type)}  ${oneLine(value)}`)
        .join('\n')
    case 'button':
      return `${oneLine(block.text)}:\n${oneLine(block.url)}`
  }
}
