// The tokens that are accepted. Of each only the beginning and the end are known.

import { Button } from '@mantine/core'
import type { Received } from '@petstore/contract/platform/client'
import { texts } from '../texts/texts.ts'
import { dateWords, Time } from '../ui/time.tsx'

const words = texts.account.tokens
const { columns } = words
type Token = Received<'listAccessTokens'>[number]

export const TokensList = ({ list, onRevoke }: { list: readonly Token[]; onRevoke: (token: Token) => void }) => (
  <table className="list">
    <thead>
      <tr>
        <th scope="col">{columns.label}</th>
        <th scope="col">{columns.token}</th>
        <th scope="col">{columns.expires}</th>
        <th scope="col">{columns.used}</th>
        <td />
      </tr>
    </thead>
    <tbody>
      {list.map((token) => (
        <tr key={token.id}>
          <td data-label={columns.label}>{token.label}</td>
          <td data-label={columns.token} className="mono">
            {token.display}
          </td>
          <td data-label={columns.expires}>{token.expiresAt === null ? words.endless : dateWords(token.expiresAt)}</td>
          <td data-label={columns.used}>
            <Time at={token.lastUsedAt} />
          </td>
          <td>
            <Button
              size="compact-sm"
              variant="default"
              onClick={() => onRevoke(token)}
              aria-label={words.revokeOf(token.label)}
            >
              {words.revoke}
            </Button>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)
