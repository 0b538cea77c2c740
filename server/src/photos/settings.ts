// The media settings of an installation: which store keeps the files of photos, how much they may occupy, and how many
// are processed at once. Pure.

import { Secret } from '../foundation/secret.ts'
import { bytes, choice, integer, type Setting, type ValuesOf } from '../foundation/setting.ts'

export type MediaConfig = Readonly<{
  /** The number of photos that are processed at once; undefined for one per core, at most two. */
  mediaProcesses: number | undefined
  /** What the photos of all projects may occupy together; undefined for no limit. */
  mediaBytesMax: number | undefined
  /** Undefined if PostgreSQL keeps the files. */
  s3: S3Config | undefined
}>

export type S3Config = Readonly<{
  /** An origin; the bucket is the first part of every path. */
  endpoint: string
  region: string
  bucket: string
  /** Comes before every key in the bucket: empty, or it ends in a slash. */
  prefix: string
  accessKeyId: string
  secretAccessKey: Secret
}>

/** More in a database makes its backups slow; a bucket has no such limit. */
const DATABASE_BYTES_MAX = 20_000_000_000

const REGION = 'us-east-1'

export const mediaSettings = {
  MEDIA_PROCESSES: {
    ...integer(1, 64),
    otherwise: 'one per core, at most 2',
    about: 'photos that work processes at once',
  },
  MEDIA_STORE: {
    ...choice(['database', 's3']),
    default: 'database',
    about: 'database or s3: where photos are stored',
  },
  MEDIA_BYTES_MAX: { ...bytes, otherwise: '20000000000 with database', about: 'bytes of all photos together' },
  S3_ENDPOINT: {
    parse: readEndpoint,
    wanted: 'an http(s) origin without path',
    about: 'origin of the S3-compatible store',
  },
  S3_BUCKET: { parse: readBucket, wanted: 'the name of a bucket', about: 'bucket for photos' },
  S3_REGION: {
    parse: readRegion,
    wanted: 'a region such as us-east-1',
    otherwise: REGION,
    about: 'region for signatures',
  },
  S3_PREFIX: { parse: readPrefix, wanted: 'a path such as shops/photos', about: 'path in front of all keys' },
  S3_ACCESS_KEY_ID: {
    parse: readAccessKey,
    wanted: 'an access key without spaces, / and commas',
    about: 'access key of the store',
  },
  S3_SECRET_ACCESS_KEY: {
    parse: readSecretKey,
    wanted: 'a secret key without spaces',
    kind: 'secret',
    about: 'secret of the access key',
  },
} satisfies Readonly<Record<string, Setting>>

type Values = ValuesOf<typeof mediaSettings>

export function mediaOf(values: Values, mistakes: string[]): MediaConfig {
  const inDatabase = values.MEDIA_STORE === 'database'
  return {
    mediaProcesses: values.MEDIA_PROCESSES,
    mediaBytesMax: values.MEDIA_BYTES_MAX ?? (inDatabase ? DATABASE_BYTES_MAX : undefined),
    s3: s3Of(values, mistakes),
  }
}

function s3Of(values: Values, mistakes: string[]): S3Config | undefined {
  const { S3_ENDPOINT: endpoint, S3_BUCKET: bucket, S3_REGION: region, S3_PREFIX: prefix } = values
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  // One mistake is enough: what is wrong is not missing as well.
  if (mistakes.some((mistake) => /^S3_[A-Z_]+ must be /.test(mistake))) return undefined
  if (values.MEDIA_STORE !== 's3') {
    const isAnySet = [endpoint, region, bucket, prefix, accessKeyId, secretAccessKey].some((one) => one !== undefined)
    if (isAnySet) mistakes.push('The settings that begin with S3_ require MEDIA_STORE=s3.')
    return undefined
  }
  if (endpoint && bucket && accessKeyId && secretAccessKey) {
    return { endpoint, region: region ?? REGION, bucket, prefix: prefix ?? '', accessKeyId, secretAccessKey }
  }
  mistakes.push('MEDIA_STORE=s3 also requires S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.')
  return undefined
}

function readEndpoint(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) && url.origin === text ? text : undefined
}

function readRegion(text: string): string | undefined {
  return /^[a-z0-9-]{1,32}$/.test(text) ? text : undefined
}

function readBucket(text: string): string | undefined {
  return /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) ? text : undefined
}

function readPrefix(text: string): string | undefined {
  const isPath = text.length <= 200 && text.split('/').every((part) => /^[\w.-]+$/.test(part) && !/^\.\.?$/.test(part))
  return isPath ? `${text}/` : undefined
}

function readAccessKey(text: string): string | undefined {
  return /^[!-~]{1,128}$/.test(text) && !/[,/]/.test(text) ? text : undefined
}

function readSecretKey(text: string): Secret | undefined {
  return /^[!-~]{1,256}$/.test(text) ? new Secret(text) : undefined
}
