// The mails about a project and its members, in the languages that a person can choose. Pure: facts in, mail out.

import { INVITATION_DAYS } from '@petstore-platform/contract/platform/members'
import type { Role } from '@petstore-platform/contract/platform/operation'
import type { Language } from '@petstore-platform/contract/platform/site'
import { inSubject, type Mail } from '../mail/mail.ts'
import { mailTime } from '../mail/mail-time.ts'
import { projectTexts } from './mail-texts.ts'

export type InvitationFacts = {
  language: Language
  person: string
  project: string
  role: Role
  url: string
  declineUrl: string
}

type OfProject = { language: Language; project: string; projectUrl: string }

export type JoinedFacts = OfProject & { person: string; email: string; role: Role }

/** `isReplyable`: a reply reaches the operator. */
type TakedownFacts = OfProject & { isReplyable: boolean }

/** `person`: undefined if the operator did it. */
export type DoneFacts = OfProject & { person: string | undefined; at: Date }

export const projectMails = {
  invitation({ language, person, project, role, url, declineUrl }: InvitationFacts): Mail {
    const { invitation: texts, roles } = projectTexts[language]
    return {
      language,
      // Without names: it is read before anything shows who wrote it, by a person who did not ask for it.
      subject: texts.subject,
      blocks: [
        { kind: 'heading', text: texts.heading(person, project) },
        { kind: 'paragraph', text: texts.text(person, project, roles[role]) },
        { kind: 'button', text: texts.button, url },
        { kind: 'paragraph', text: texts.validity(INVITATION_DAYS) },
        { kind: 'paragraph', text: texts.ignore },
      ],
      footer: texts.footer,
      turnOff: { text: texts.decline, url: declineUrl },
    }
  },

  role_changed({ language, project, projectUrl, role }: OfProject & { role: Role }): Mail {
    const { roleChanged: texts, roles, open, owed } = projectTexts[language]
    return {
      language,
      subject: texts.subject(inSubject(project), roles[role]),
      blocks: [
        { kind: 'heading', text: texts.subject(project, roles[role]) },
        { kind: 'paragraph', text: texts.text(project, roles[role]) },
        { kind: 'button', text: open, url: projectUrl },
      ],
      footer: owed,
    }
  },

  member_removed({ language, project }: Omit<OfProject, 'projectUrl'>): Mail {
    const { memberRemoved: texts, owed } = projectTexts[language]
    return {
      language,
      subject: texts.subject(inSubject(project)),
      blocks: [
        { kind: 'heading', text: texts.subject(project) },
        { kind: 'paragraph', text: texts.text(project) },
      ],
      footer: owed,
    }
  },

  member_joined({ language, project, projectUrl, person, email, role }: JoinedFacts): Mail {
    const { memberJoined: texts, roles, optional } = projectTexts[language]
    return {
      language,
      subject: texts.subject(inSubject(person), inSubject(project)),
      blocks: [
        { kind: 'heading', text: texts.subject(person, project) },
        { kind: 'paragraph', text: texts.text(person, email, project, roles[role]) },
        { kind: 'button', text: texts.button, url: `${projectUrl}/settings/members` },
      ],
      footer: optional(project),
    }
  },

  api_key_created({ language, project, projectUrl, person, at, label }: DoneFacts & { label: string }): Mail {
    const { keyCreated: texts, when, operator, owed } = projectTexts[language]
    return {
      language,
      subject: texts.subject(inSubject(project)),
      blocks: [
        { kind: 'heading', text: texts.subject(project) },
        { kind: 'paragraph', text: texts.text(person ?? operator) },
        {
          kind: 'facts',
          facts: [
            [texts.label, label],
            [when, mailTime(language, at)],
          ],
        },
        { kind: 'button', text: texts.button, url: `${projectUrl}/settings/keys` },
      ],
      footer: owed,
    }
  },

  project_deleted({ language, project, person, at }: Omit<DoneFacts, 'projectUrl'>): Mail {
    const { projectDeleted: texts, when, operator, owed } = projectTexts[language]
    return {
      language,
      subject: texts.subject(inSubject(project)),
      blocks: [
        { kind: 'heading', text: texts.subject(project) },
        { kind: 'paragraph', text: texts.text(person ?? operator, project) },
        { kind: 'facts', facts: [[when, mailTime(language, at)]] },
        { kind: 'paragraph', text: texts.contact },
      ],
      footer: owed,
    }
  },

  project_suspended: (facts: TakedownFacts): Mail => ofTakedown(facts, 'suspended'),
  project_resumed: (facts: TakedownFacts): Mail => ofTakedown(facts, 'resumed'),
}

/** Without the reason, which is text of a person: it is in the activity of the store. */
function ofTakedown(
  { language, project, projectUrl, isReplyable }: TakedownFacts,
  state: 'suspended' | 'resumed',
): Mail {
  const { [state]: texts, reply, activity, owed } = projectTexts[language]
  return {
    language,
    subject: texts.subject(inSubject(project)),
    blocks: [
      { kind: 'heading', text: texts.subject(project) },
      { kind: 'paragraph', text: texts.text(project) },
      ...(isReplyable ? [{ kind: 'paragraph', text: reply } as const] : []),
      { kind: 'button', text: activity, url: `${projectUrl}/activity` },
    ],
    footer: owed,
  }
}
