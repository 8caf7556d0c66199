import { templateFormat } from '../template-format.ts';
import type { Template, TemplateField } from '../template.ts';

const FIELDS: readonly TemplateField[] = [
  { before: '', kind: 'skipped' },
  { before: ' ', kind: 'skipped' },
  { before: ' [', kind: 'clfStamp' },
  { before: '] ', kind: 'client' },
  { before: ' ', kind: 'skipped' },
  { before: ' ', kind: 'skipped' },
  { before: ' ', kind: 'skipped' },
  { before: ' ', kind: 'skipped' },
  { before: ' "', kind: 'request' },
  { before: '" ', kind: 'status' },
  { before: ' ', kind: 'skipped' },
  { before: ' ', kind: 'responseBytes' },
  { before: ' ', kind: 'skipped' },
  { before: ' ', kind: 'durationMilliseconds' },
  { before: ' ', kind: 'skipped' },
  { before: ' "', kind: 'referer' },
  { before: '" "', kind: 'userAgent' },
];

/** Fields were added behind the user agent over the years. */
const layout = (fields: readonly TemplateField[], after: string): Template => ({
  fields,
  after,
  escapes: 'none',
  timestampMeaning: 'start',
  stampResolutionSeconds: 1,
});

/** Server access log of AWS S3: the start is stamped, the whole time is milliseconds. */
export const awsS3 = templateFormat({
  name: 'aws-s3',
  shape:
    'owner bucket [10/Feb/2012:16:42:07 -0500] ip requester id REST.GET.OBJECT key "GET /path HTTP/1.1" 200 - 368 368 10 9 "referer" "user agent" …',
  looksLike: /^\S+ \S+ \[\d\d\/\w{3}\/\d{4}:[\d:]{8} [+-]\d{4}\] \S+ \S+ \S+ [A-Z]\S+\.\S+ /,
  templates: [layout([...FIELDS, { before: '" ', kind: 'skippedText' }], ''), layout(FIELDS, '"')],
  samples: [
    {
      title: 'the whole time, not the turnaround',
      lines: [
        'b659 www.example.com [10/Feb/2012:16:42:07 -0500] 1.2.3.4 arn:aws:iam::1:user/x EB35 WEBSITE.GET.OBJECT index "GET /index HTTP/1.1" 200 - 368 368 10 9 "-" "Mozilla/5.0 (X11)" -',
      ],
      expect: [
        {
          atSeconds: 1_328_910_127,
          client: '1.2.3.4',
          responseTimeSeconds: 0.01,
          path: '/index',
          responseBytes: 368,
          userAgent: 'Mozilla/5.0 (X11)',
        },
      ],
    },
  ],
});
