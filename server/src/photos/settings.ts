// The media settings of an installation: which store keeps the files of photos, how much they may occupy, and how many
// are processed at once. Pure.

import { Secret } from '../foundation/secret.ts'
import type { SettingsReader } from '../mail/settings.ts'

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

export function mediaOf({ read }: Pick<SettingsReader, 'read'>, mistakes: string[]): MediaConfig {
  const store = read('MEDIA_STORE', 'database', (text) => stores.find((one) => one === text), 'one of database, s3')
  const s3 = s3Of({ read }, store === 's3', mistakes)
  return {
    mediaProcesses: read('MEDIA_PROCESSES', undefined, readProcesses, 'an integer from 1 to 64'),
    mediaBytesMax: read(
      'MEDIA_BYTES_MAX',
      store === 's3' ? undefined : DATABASE_BYTES_MAX,
      readBytes,
      'a number of bytes',
    ),
    s3,
  }
}

const stores: readonly string[] = ['database', 's3']

function s3Of({ read }: Pick<SettingsReader, 'read'>, isUsed: boolean, mistakes: string[]): S3Config | undefined {
  const known = mistakes.length
  const endpoint = read('S3_ENDPOINT', undefined, readEndpoint, 'an http(s) origin without path')
  const region = read('S3_REGION', undefined, readRegion, 'a region such as us-east-1')
  const bucket = read('S3_BUCKET', undefined, readBucket, 'the name of a bucket')
  const prefix = read('S3_PREFIX', undefined, readPrefix, 'a path such as shops/photos')
  const accessKeyId = read('S3_ACCESS_KEY_ID', undefined, readAccessKey, 'an access key without spaces, / and commas')
  const secretAccessKey = read('S3_SECRET_ACCESS_KEY', undefined, readSecretKey, 'a secret key without spaces')
  if (mistakes.length > known) return undefined
  if (!isUsed) {
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

function readProcesses(text: string): number | undefined {
  return /^\d\d?$/.test(text) && Number(text) >= 1 && Number(text) <= 64 ? Number(text) : undefined
}

export function readBytes(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function readEndpoint(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) && url.origin === text ? text : undefined
}

const readRegion = (text: string) => (/^[a-z0-9-]{1,32}$/.test(text) ? text : undefined)

const readBucket = (text: string) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) ? text : undefined)

function readPrefix(text: string): string | undefined {
  const isPath = text.length <= 200 && text.split('/').every((part) => /^[\w.-]+$/.test(part) && !/^\.\.?$/.test(part))
  return isPath ? `${text}/` : undefined
}

const readAccessKey = (text: string) => (/^[!-~]{1,128}$/.test(text) && !/[,/]/.test(text) ? text : undefined)

const readSecretKey = (text: string) => (/^[!-~]{1,256}$/.test(text) ? new Secret(text) : undefined)
