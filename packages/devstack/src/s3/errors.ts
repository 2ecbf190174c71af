const catalogue = {
  AccessDenied: [403, 'Access Denied'],
  AccessForbidden: [403, 'CORSResponse: This CORS request is not allowed.'],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed.'],
  AuthorizationQueryParametersError: [400, 'The authorization query parameters are malformed.'],
  BadDigest: [400, 'The digest you specified did not match what we received.'],
  BadRequest: [400, 'The request is not valid.'],
  BucketAlreadyOwnedByYou: [409, 'The bucket exists and is yours.'],
  BucketNotEmpty: [409, 'The bucket still holds objects.'],
  EntityTooLarge: [400, 'The upload exceeds the maximum allowed object size.'],
  EntityTooSmall: [400, 'The upload is smaller than the minimum allowed size.'],
  IllegalLocationConstraintException: [400, 'The location constraint is not this region.'],
  IncompleteBody: [400, 'The body is shorter than its declared length.'],
  InternalError: [500, 'The server failed to handle the request.'],
  InvalidAccessKeyId: [403, 'The access key id does not exist here.'],
  InvalidArgument: [400, 'An argument is not valid.'],
  InvalidBucketName: [400, 'The bucket name is not valid.'],
  InvalidDigest: [400, 'The Content-MD5 or checksum is not valid.'],
  InvalidPart: [400, 'A listed part was not uploaded, or its entity tag differs.'],
  InvalidPartOrder: [400, 'The parts are not listed in ascending order of their numbers.'],
  InvalidRange: [416, 'The requested range cannot be satisfied.'],
  InvalidRequest: [400, 'The request is not valid.'],
  InvalidStorageClass: [400, 'The storage class is not offered.'],
  InvalidURI: [400, 'The request target could not be parsed.'],
  KeyTooLongError: [400, 'The key is longer than 1024 bytes.'],
  MalformedXML: [400, 'The XML body is not well-formed or not of the expected shape.'],
  MaxMessageLengthExceeded: [400, 'The request body is too large.'],
  MetadataTooLarge: [400, 'The user metadata exceeds 2048 bytes.'],
  MethodNotAllowed: [405, 'The method is not allowed on this resource.'],
  MissingContentLength: [411, 'The Content-Length header is required.'],
  NoSuchBucket: [404, 'The bucket does not exist.'],
  NoSuchCORSConfiguration: [404, 'The bucket has no CORS configuration.'],
  NoSuchKey: [404, 'The key does not exist.'],
  NoSuchUpload: [404, 'The multipart upload does not exist; it may have ended.'],
  NoSuchVersion: [404, 'The version does not exist.'],
  NotImplemented: [501, 'The request needs a feature that is not implemented.'],
  NotModified: [304, 'Not Modified'],
  PreconditionFailed: [412, 'A precondition did not hold.'],
  RequestTimeTooSkewed: [403, 'The request time differs too much from the server time.'],
  SignatureDoesNotMatch: [403, 'The signature does not match the one calculated here.'],
  XAmzContentSHA256Mismatch: [400, 'The x-amz-content-sha256 header does not match the body.'],
} as const;

export type S3ErrorCode = keyof typeof catalogue;

export interface S3ErrorDetails {
  message?: string;
  /** Further elements of the error document, such as `Region`. */
  fields?: Record<string, string>;
  headers?: Record<string, string>;
}

/** An S3 error: its code determines the HTTP status. */
export class S3Error extends Error {
  readonly code: S3ErrorCode;
  readonly status: number;
  readonly fields: Record<string, string>;
  readonly headers: Record<string, string>;

  constructor(code: S3ErrorCode, details: S3ErrorDetails = {}) {
    super(details.message ?? catalogue[code][1]);
    this.name = 'S3Error';
    this.code = code;
    this.status = catalogue[code][0];
    this.fields = details.fields ?? {};
    this.headers = details.headers ?? {};
  }
}
