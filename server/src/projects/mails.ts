// The mails about a project and its members, in the languages that a person can choose. Pure: facts in, mail out.

import { INVITATION_DAYS } from '@petstore-platform/contract/platform/members'
import type { Role } from '@petstore-platform/contract/platform/operation'
import type { Language } from '@petstore-platform/contract/platform/site'
import { inSubject, type Mail } from '../mail/mail.ts'
import { mailTime } from '../mail/mail-time.ts'

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
}

type Texts = {
  roles: Readonly<Record<Role, string>>
  invitation: {
    subject: string
    heading: (person: string, project: string) => string
    text: (person: string, project: string, role: string) => string
    button: string
    validity: (days: number) => string
    ignore: string
    decline: string
    footer: string
  }
  roleChanged: { subject: (project: string, role: string) => string; text: (project: string, role: string) => string }
  memberRemoved: { subject: (project: string) => string; text: (project: string) => string }
  memberJoined: {
    subject: (person: string, project: string) => string
    text: (person: string, email: string, project: string, role: string) => string
    button: string
  }
  keyCreated: { subject: (project: string) => string; text: (person: string) => string; label: string; button: string }
  projectDeleted: {
    subject: (project: string) => string
    text: (person: string, project: string) => string
    contact: string
  }
  /** Who did it, if no member did. */
  operator: string
  open: string
  when: string
  owed: string
  optional: (project: string) => string
  turnOff: string
}

export const projectTexts: Readonly<Record<Language, Texts>> = {
  en: {
    roles: { owner: 'owner', admin: 'admin', viewer: 'viewer' },
    invitation: {
      subject: 'An invitation to a store on Petstore',
      heading: (person, project) => `${person} invites you to ${project}`,
      text: (person, project, role) => `${person} would like you to work in ${project}, as ${role}.`,
      button: 'Accept the invitation',
      validity: (days) => `The link works once, for ${days} days, and only for this address.`,
      ignore: 'If you do not know what this is about, ignore this mail: nothing will happen.',
      decline: 'Do not invite me',
      footer: 'You get this mail because a person entered your address at Petstore.',
    },
    roleChanged: {
      subject: (project, role) => `Your role in ${project} is now ${role}`,
      text: (project, role) => `An owner of ${project} has made you ${role}.`,
    },
    memberRemoved: {
      subject: (project) => `You are no longer a member of ${project}`,
      text: (project) => `An owner has removed you from ${project}. You can no longer open it. Your account remains.`,
    },
    memberJoined: {
      subject: (person, project) => `${person} joined ${project}`,
      text: (person, email, project, role) =>
        `${person} (${email}) accepted the invitation, and is ${role} of ${project} now.`,
      button: 'See the members',
    },
    keyCreated: {
      subject: (project) => `A new API key in ${project}`,
      text: (person) =>
        `${person} created an API key. Programs that have it can use the data of the store. If you do not expect this, revoke it.`,
      label: 'Name',
      button: 'See the API keys',
    },
    projectDeleted: {
      subject: (project) => `${project} was deleted`,
      text: (person, project) => `${person} deleted ${project} with everything in it. The site is no longer online.`,
      contact:
        'A deleted store cannot be restored by its members. If this was a mistake, contact the operator of this installation.',
    },
    operator: 'The operator',
    open: 'Open the store',
    when: 'When',
    owed: 'You get this mail because it concerns your access to a store or its security. It cannot be turned off.',
    optional: (project) => `You get this mail because you are a member of ${project}.`,
    turnOff: 'Turn off mails like this one',
  },
  de: {
    roles: { owner: 'Inhaberin oder Inhaber', admin: 'Admin', viewer: 'Mitglied mit Leserecht' },
    invitation: {
      subject: 'Eine Einladung zu einem Laden bei Petstore',
      heading: (person, project) => `${person} lädt Sie zu ${project} ein`,
      text: (person, project, role) => `${person} möchte, dass Sie bei ${project} mitarbeiten, als ${role}.`,
      button: 'Einladung annehmen',
      validity: (days) => `Der Link gilt einmal, ${days} Tage lang und nur für diese Adresse.`,
      ignore: 'Wenn Sie nicht wissen, worum es geht, ignorieren Sie diese E-Mail: Es passiert nichts.',
      decline: 'Nicht mehr einladen',
      footer: 'Sie erhalten diese E-Mail, weil eine Person Ihre Adresse bei Petstore eingegeben hat.',
    },
    roleChanged: {
      subject: (project, role) => `Ihre Rolle bei ${project}: ${role}`,
      text: (project, role) => `Ihre Rolle bei ${project} wurde geändert. Sie sind jetzt ${role}.`,
    },
    memberRemoved: {
      subject: (project) => `Sie sind nicht mehr Mitglied von ${project}`,
      text: (project) =>
        `Sie wurden aus ${project} entfernt und können es nicht mehr öffnen. Ihr Konto bleibt bestehen.`,
    },
    memberJoined: {
      subject: (person, project) => `${person} ist ${project} beigetreten`,
      text: (person, email, project, role) =>
        `${person} (${email}) hat die Einladung zu ${project} angenommen. Rolle: ${role}.`,
      button: 'Mitglieder ansehen',
    },
    keyCreated: {
      subject: (project) => `Ein neuer API-Schlüssel für ${project}`,
      text: (person) =>
        `${person} hat einen API-Schlüssel angelegt. Programme, die ihn haben, können die Daten des Ladens nutzen. Wenn Sie das nicht erwarten, widerrufen Sie ihn.`,
      label: 'Name',
      button: 'API-Schlüssel ansehen',
    },
    projectDeleted: {
      subject: (project) => `${project} wurde gelöscht`,
      text: (person, project) =>
        `${person} hat ${project} mit allem Inhalt gelöscht. Die Website ist nicht mehr online.`,
      contact:
        'Mitglieder können einen gelöschten Laden nicht wiederherstellen. Wenn es ein Versehen war, wenden Sie sich an den Betreiber dieser Installation.',
    },
    operator: 'Der Betreiber',
    open: 'Laden öffnen',
    when: 'Wann',
    owed: 'Sie erhalten diese E-Mail, weil sie Ihren Zugang zu einem Laden oder dessen Sicherheit betrifft. Sie lässt sich nicht abbestellen.',
    optional: (project) => `Sie erhalten diese E-Mail als Mitglied von ${project}.`,
    turnOff: 'Solche E-Mails abbestellen',
  },
  fr: {
    roles: { owner: 'propriétaire', admin: 'administrateur', viewer: 'membre en lecture seule' },
    invitation: {
      subject: 'Une invitation à une boutique sur Petstore',
      heading: (person, project) => `${person} vous invite à rejoindre ${project}`,
      text: (person, project, role) => `${person} souhaite que vous participiez à ${project}, comme ${role}.`,
      button: 'Accepter l’invitation',
      validity: (days) => `Le lien est valable une fois, pendant ${days} jours, et uniquement pour cette adresse.`,
      ignore: 'Si vous ne savez pas de quoi il s’agit, ignorez ce message : rien ne se passera.',
      decline: 'Ne plus m’inviter',
      footer: 'Vous recevez ce message parce que quelqu’un a saisi votre adresse sur Petstore.',
    },
    roleChanged: {
      subject: (project, role) => `Votre rôle dans ${project} : ${role}`,
      text: (project, role) => `Votre rôle dans ${project} a changé. Vous êtes maintenant ${role}.`,
    },
    memberRemoved: {
      subject: (project) => `Vous n’êtes plus membre de ${project}`,
      text: (project) => `Vous avez été retiré de ${project} et ne pouvez plus l’ouvrir. Votre compte est conservé.`,
    },
    memberJoined: {
      subject: (person, project) => `${person} a rejoint ${project}`,
      text: (person, email, project, role) =>
        `${person} (${email}) a accepté l’invitation à ${project}. Rôle : ${role}.`,
      button: 'Voir les membres',
    },
    keyCreated: {
      subject: (project) => `Une nouvelle clé API dans ${project}`,
      text: (person) =>
        `${person} a créé une clé API. Les programmes qui la possèdent peuvent utiliser les données de la boutique. Si vous ne vous y attendez pas, révoquez-la.`,
      label: 'Nom',
      button: 'Voir les clés API',
    },
    projectDeleted: {
      subject: (project) => `${project} a été supprimé`,
      text: (person, project) => `${person} a supprimé ${project} et tout son contenu. Le site n’est plus en ligne.`,
      contact:
        'Les membres ne peuvent pas restaurer une boutique supprimée. S’il s’agit d’une erreur, contactez l’exploitant de cette installation.',
    },
    operator: 'L’exploitant',
    open: 'Ouvrir la boutique',
    when: 'Quand',
    owed: 'Vous recevez ce message parce qu’il concerne votre accès à une boutique ou sa sécurité. Il ne peut pas être désactivé.',
    optional: (project) => `Vous recevez ce message parce que vous êtes membre de ${project}.`,
    turnOff: 'Ne plus recevoir de messages comme celui-ci',
  },
  es: {
    roles: { owner: 'propietario', admin: 'administrador', viewer: 'miembro de solo lectura' },
    invitation: {
      subject: 'Una invitación a una tienda en Petstore',
      heading: (person, project) => `${person} le invita a ${project}`,
      text: (person, project, role) => `${person} quiere que participe en ${project}, como ${role}.`,
      button: 'Aceptar la invitación',
      validity: (days) => `El enlace funciona una vez, durante ${days} días, y solo para esta dirección.`,
      ignore: 'Si no sabe de qué se trata, ignore este correo: no pasará nada.',
      decline: 'No invitarme más',
      footer: 'Recibe este correo porque una persona introdujo su dirección en Petstore.',
    },
    roleChanged: {
      subject: (project, role) => `Su función en ${project}: ${role}`,
      text: (project, role) => `Su función en ${project} ha cambiado. Ahora es ${role}.`,
    },
    memberRemoved: {
      subject: (project) => `Ya no es miembro de ${project}`,
      text: (project) => `Se le ha retirado de ${project} y ya no puede abrirlo. Su cuenta se conserva.`,
    },
    memberJoined: {
      subject: (person, project) => `${person} se ha unido a ${project}`,
      text: (person, email, project, role) =>
        `${person} (${email}) ha aceptado la invitación a ${project}. Función: ${role}.`,
      button: 'Ver los miembros',
    },
    keyCreated: {
      subject: (project) => `Una nueva clave API en ${project}`,
      text: (person) =>
        `${person} ha creado una clave API. Los programas que la tengan pueden usar los datos de la tienda. Si no lo esperaba, revóquela.`,
      label: 'Nombre',
      button: 'Ver las claves API',
    },
    projectDeleted: {
      subject: (project) => `${project} se ha eliminado`,
      text: (person, project) =>
        `${person} ha eliminado ${project} con todo su contenido. El sitio ya no está en línea.`,
      contact:
        'Los miembros no pueden restaurar una tienda eliminada. Si ha sido un error, póngase en contacto con el operador de esta instalación.',
    },
    operator: 'El operador',
    open: 'Abrir la tienda',
    when: 'Cuándo',
    owed: 'Recibe este correo porque afecta a su acceso a una tienda o a su seguridad. No se puede desactivar.',
    optional: (project) => `Recibe este correo porque es miembro de ${project}.`,
    turnOff: 'No recibir más correos como este',
  },
}
