// The tokens that are accepted. Of each only the beginning and the end are known.

import { Button } from '@mantine/core'
import type { Received } from '@petstore-platform/contract/platform/client'
import { Terminal } from 'lucide-react'
import * as texts from '../texts/texts.ts'
import { dateWords, Time } from '../ui/time.tsx'
import { ListHead } from '../ui/list-head.tsx'
import { Named } from './account-part.tsx'
import { accessOf } from './token-access.ts'

const words = texts.account.tokens
const { columns } = words
type Token = Received<'listAccessTokens'>[number]

export const TokensList = ({ list, onRevoke }: { list: readonly Token[]; onRevoke: (token: Token) => void }) => (
  <table className="list">
    <ListHead
      columns={[columns.label, columns.access, columns.expires, columns.used]}
      actions={texts.account.actions}
    />
    <tbody>
      {list.map((token) => (
        <tr key={token.id}>
          <td>
            <Named of={Terminal} says={<span className="mono">{token.display}</span>}>
              {token.label}
            </Named>
          </td>
          <td data-label={columns.access}>{words.accesses[accessOf(token.scopes)]}</td>
          <td data-label={columns.expires}>{token.expiresAt === null ? words.endless : dateWords(token.expiresAt)}</td>
          <td data-label={columns.used}>
            <Time at={token.lastUsedAt} />
          </td>
          <td>
            <Button
              size="compact-sm"
              variant="default"
              data-tone="danger"
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
