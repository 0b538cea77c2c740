// Buttons, badges, notes, lines and tables.

import { Button } from '@mantine/core'
import { Cat, ChevronRight, Globe, Inbox, Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react'
import { Badge, type Tone } from '../ui/badge.tsx'
import { CopyIcon } from '../ui/copy-icon.tsx'
import { Copy } from '../ui/copy.tsx'
import { Avatar, Glyph } from '../ui/glyph.tsx'
import { Icon, IconButton } from '../ui/icon.tsx'

const variants = [undefined, 'default', 'light', 'subtle'] as const
const names = { default: 'White', light: 'Soft', subtle: 'Bare' } as const
const nameOf = (variant: (typeof variants)[number]) => (variant ? names[variant] : 'Filled')
const sizes = ['xs', 'sm', 'lg'] as const

export const Buttons = () => (
  <>
    {sizes.map((size) => (
      <div key={size} className="row">
        {variants.map((variant) => (
          <Button key={nameOf(variant)} size={size} {...(variant && { variant })}>
            {nameOf(variant)}
          </Button>
        ))}
      </div>
    ))}
    <div className="row">
      <Button leftSection={<Icon of={Plus} size={18} />}>Add animal</Button>
      <Button variant="default" leftSection={<Icon of={Pencil} size={18} />}>
        Edit
      </Button>
      <Button variant="default" data-tone="danger" leftSection={<Icon of={Trash2} size={18} />}>
        Remove
      </Button>
      <Button variant="subtle" data-tone="danger">
        Revoke
      </Button>
      <Button data-tone="danger">Delete permanently</Button>
    </div>
    <div className="row">
      <Button disabled>Disabled</Button>
      <Button variant="default" disabled>
        Disabled, white
      </Button>
      <Button loading>Saving</Button>
      <Button variant="default" loading>
        Loading
      </Button>
      <IconButton of={Pencil} aria-label="Edit the name" />
      <IconButton of={Trash2} variant="default" aria-label="Remove it" data-tone="danger" />
      <Copy value="value" what="a value" />
      <CopyIcon value="value" what="another value" />
    </div>
  </>
)

const tones: Readonly<Record<Tone, string>> = {
  good: 'Available',
  warn: 'Reserved',
  bad: 'Action required',
  wait: 'New',
  plum: 'Visit today',
  plain: 'Draft',
}
const tonesInOrder = Object.keys(tones) as Tone[]
const people = ['Robin Berger', 'Mia', 'Tom Okafor', 'Lena Fischer']

/** `isOne` for the place beside a title. */
export const Badges = ({ isOne = false }: { isOne?: boolean }) =>
  isOne ? (
    <Badge tone="good">Live</Badge>
  ) : (
    <>
      <div className="row tight">
        {tonesInOrder.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tones[tone]}
          </Badge>
        ))}
        <span className="count">4</span>
      </div>
      <div className="row">
        {tonesInOrder.map((tone) => (
          <Glyph key={tone} of={Cat} tone={tone} />
        ))}
        {people.map((name) => (
          <Avatar key={name} name={name} />
        ))}
      </div>
    </>
  )

export const Notes = () => (
  <>
    <p className="note plain">A DNS change can take up to 48 hours to be visible everywhere.</p>
    <p className="note good plain">Everything is correct.</p>
    <div className="note warn stack tight">
      <strong>Your site is not published yet</strong>
      <span>
        Publish it once, then <a href="#content">a domain</a> has something to show.
      </span>
    </div>
    <p className="note bad plain">
      <strong>An old A record sends visitors to another server.</strong> It points to <code>203.0.113.10</code>.
    </p>
  </>
)

export const Lines = () => (
  <ul className="lines">
    <li>
      <Glyph of={Inbox} tone="wait" />
      <span className="grow">
        <strong>Tom Okafor would like to adopt Ada</strong>
        <br />
        <span className="quiet small">2 hours ago</span>
      </span>
      <Icon of={ChevronRight} />
    </li>
    <li>
      <Glyph of={TriangleAlert} tone="bad" />
      <span className="grow">
        <strong>www.willow-street.org is not live yet</strong>
        <br />
        <span className="quiet small">An old record is in the way.</span>
      </span>
      <Badge tone="bad">Action required</Badge>
    </li>
    <li>
      <Glyph of={Globe} />
      <span className="grow cut">{`a-very-long-name-${'without-an-end-'.repeat(12)}.example`}</span>
    </li>
  </ul>
)

const rows = [
  ['Ada', 'Border collie mix', '2'],
  ['Luna', 'Grey tabby', '0'],
]

export const Table = () => (
  <table className="list">
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Breed</th>
        <th scope="col">Requests</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(([name, breed, requests]) => (
        <tr key={name}>
          <td>{name}</td>
          <td data-label="Breed">{breed}</td>
          <td data-label="Requests" className="num">
            {requests}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
