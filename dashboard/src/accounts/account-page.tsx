// The account page, which belongs to a person and to no project: the name, and all ways
// to sign in, with the history of both.

import { useQuery } from '@tanstack/react-query'
import { query } from '../api.ts'
import { PersonalPage } from '../shell/top-bar.tsx'
import { texts } from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import './accounts.css'
import { DeleteAccountSection } from './delete-account-section.tsx'
import { EmailSection } from './email-section.tsx'
import { HistorySection } from './history-section.tsx'
import { LanguageSection } from './language-section.tsx'
import { NameSection } from './name-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PasswordSection } from './password-section.tsx'
import { RecoveryCodesSection } from './recovery-codes-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { TokensSection } from './tokens-section.tsx'

export function AccountPage() {
  const account = useQuery(query('getAccount'))
  return (
    <PersonalPage>
      <Page title={texts.account.title}>
        <Loaded from={account}>
          {(person) => (
            <>
              <NameSection key={person.id} person={person} />
              <EmailSection person={person} />
              <LanguageSection person={person} />
              <PasswordSection email={person.email} />
              <PasskeysSection />
              <RecoveryCodesSection email={person.email} />
              <SessionsSection />
              <TokensSection />
              <HistorySection />
              <DeleteAccountSection />
            </>
          )}
        </Loaded>
      </Page>
    </PersonalPage>
  )
}
