// The account page, which belongs to a person and to no project: the name, and all ways
// to sign in, with the history of both.

import { useQuery } from '@tanstack/react-query'
import { History, LockKeyhole, MonitorSmartphone, Trash2, UserRound } from 'lucide-react'
import { query } from '../api.ts'
import { PersonalPage } from '../shell/top-bar.tsx'
import * as texts from '../texts/texts.ts'
import { Page } from '../ui/page.tsx'
import { Loaded } from '../ui/states.tsx'
import { Group, GroupLinks } from './account-part.tsx'
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

const { groups: words } = texts.account

const you = { id: 'you', title: words.you, icon: UserRound }
const signingIn = { id: 'signing-in', title: words.signingIn, icon: LockKeyhole }
const devices = { id: 'devices', title: words.devices, icon: MonitorSmartphone }
const history = { id: 'history', title: texts.account.history.title, icon: History }
const deletion = { id: 'delete', title: texts.account.deletion.title, icon: Trash2 }
const groups = [you, signingIn, devices, history, deletion]

export function AccountPage() {
  const account = useQuery(query('getAccount'))
  return (
    <PersonalPage>
      <Page title={texts.account.title} lead={texts.account.lead}>
        <div className="account-page">
          <GroupLinks groups={groups} />
          <div className="stack loose">
            <Loaded from={account}>
              {(person) => (
                <>
                  <Group of={you}>
                    <NameSection key={person.id} person={person} />
                    <EmailSection person={person} />
                    <LanguageSection person={person} />
                  </Group>
                  <Group of={signingIn}>
                    <PasskeysSection />
                    <PasswordSection email={person.email} />
                    <RecoveryCodesSection email={person.email} />
                  </Group>
                  <Group of={devices}>
                    <SessionsSection />
                    <TokensSection />
                  </Group>
                  <HistorySection of={history} />
                  <DeleteAccountSection of={deletion} />
                </>
              )}
            </Loaded>
          </div>
        </div>
      </Page>
    </PersonalPage>
  )
}
