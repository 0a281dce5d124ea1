// How surfaces look. One vertex shader places every instance; light, shadow and fog of distance are the same for all.

const kCommon = `
uniform vec3 sun; uniform vec3 sky; uniform vec3 earth; uniform float gloss;
uniform sampler2D shadowMap; uniform mat4 shadowMatrix; uniform float shadowOn; uniform float shadowTexel;
float unpackDepth(vec4 v){ return dot(v, vec4(1.0, 1.0/255.0, 1.0/65025.0, 1.0/16581375.0)); }
float lit(vec3 world, vec3 n){
  if (shadowOn < 0.5) return 1.0;
  vec4 p = shadowMatrix * vec4(world + n * shadowTexel * 6.0, 1.0);
  vec3 s = p.xyz / p.w * 0.5 + 0.5;
  if (s.x < 0.0 || s.x > 1.0 || s.y < 0.0 || s.y > 1.0 || s.z > 1.0) return 1.0;
  float sum = 0.0;
  for (int i = -2; i <= 2; ++i) for (int j = -2; j <= 2; ++j) {
    float d = unpackDepth(texture2D(shadowMap, s.xy + vec2(float(i), float(j)) * 0.9 / 2048.0));
    sum += s.z - 0.0012 > d ? 0.0 : 1.0;
  }
  return sum / 25.0;
}
vec3 shade(vec3 base, vec3 n, vec3 eye, vec3 world){
  vec3 colour = pow(base, vec3(2.2));
  float light = lit(world, n), face = max(dot(n, sun), 0.0);
  vec3 h = normalize(sun + eye);
  float shine = pow(max(dot(n, h), 0.0), 48.0) * gloss * light * step(0.0, dot(n, sun));
  float rim = pow(1.0 - max(dot(n, eye), 0.0), 4.0) * 0.12;
  vec3 ambient = mix(earth, sky, 0.5 + 0.5 * n.z);
  vec3 sum = colour * (ambient + vec3(1.02, 0.98, 0.92) * face * light * 0.95) + shine + rim * sky;
  return pow(clamp(sum, 0.0, 1.0), vec3(1.0 / 2.2));
}`;

const kPlace = `
attribute vec3 iPlace; attribute vec4 iTurn; attribute vec3 iSize; attribute vec4 iColour;
vec3 turned(vec4 q, vec3 v){ vec3 t = 2.0 * cross(q.yzw, v); return v + q.x * t + cross(q.yzw, t); }`;

// Capsules: unit hemispheres are scaled by the radius and moved apart, so that they stay round.
const kMeshVertex = kPlace + `
#ifdef CAPSULE
attribute float end;
#endif
varying vec3 vNormal; varying vec3 vWorld; varying vec4 vColour;
uniform mat4 lightMatrix;
void main(){
#ifdef CAPSULE
  vec3 p = position * iSize.x + vec3(0.0, 0.0, end * iSize.y * 0.5);
  vec3 n = normal;
#else
  vec3 p = position * iSize;
  vec3 n = normal / iSize;
#endif
  vWorld = turned(iTurn, p) + iPlace;
  vNormal = turned(iTurn, normalize(n));
  vColour = iColour;
#ifdef DEPTH
  gl_Position = lightMatrix * vec4(vWorld, 1.0);
#else
  gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
#endif
}`;

const kMeshFragment = kCommon + `
varying vec3 vNormal; varying vec3 vWorld; varying vec4 vColour;
void main(){
  vec3 eye = normalize(cameraPosition - vWorld), n = normalize(vNormal);
  if (dot(n, eye) < 0.0) n = -n;
  gl_FragColor = vec4(shade(vColour.rgb, n, eye, vWorld), vColour.a);
}`;

const kPackDepth = `
vec4 packDepth(float d){
  vec4 v = fract(vec4(1.0, 255.0, 65025.0, 16581375.0) * d);
  return v - v.yzww * vec4(1.0/255.0, 1.0/255.0, 1.0/255.0, 0.0);
}`;
const kDepthFragment = kPackDepth + 'void main(){ gl_FragColor = packDepth(gl_FragCoord.z); }';

// A ball is a square that faces the eye; each of its points finds the surface by itself. That is exact and cheaper than
// triangles: 10^5 balls are 2x10^5 triangles.
const kBallVertex = kPlace + `
varying vec3 vWorld; varying vec3 vCentre; varying float vRadius; varying vec4 vColour; varying vec4 vTurn;
uniform mat4 lightMatrix; uniform vec3 towards;
void main(){
  vRadius = iSize.x; vCentre = iPlace; vColour = iColour; vTurn = iTurn;
#ifdef DEPTH
  vec3 to = towards;
#else
  vec3 to = normalize(cameraPosition - iPlace);
#endif
  vec3 side = normalize(cross(abs(to.z) < 0.99 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0), to)), up = cross(to, side);
#ifdef DEPTH
  vWorld = iPlace + (side * position.x + up * position.y) * iSize.x;
  gl_Position = lightMatrix * vec4(vWorld, 1.0);
#else
  // In front of the ball, where its outline is as large as the square.
  float away = distance(cameraPosition, iPlace), r = min(iSize.x, 0.95 * away);
  float wide = r * sqrt((away - r) / (away + r));
  vWorld = iPlace + to * r + (side * position.x + up * position.y) * wide * 1.02;
  gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
#endif
}`;

const kBallFragment = kCommon + `
varying vec3 vWorld; varying vec3 vCentre; varying float vRadius; varying vec4 vColour; varying vec4 vTurn;
uniform mat4 viewProjection;
vec3 turned(vec4 q, vec3 v){ vec3 t = 2.0 * cross(q.yzw, v); return v + q.x * t + cross(q.yzw, t); }
void main(){
  vec3 ray = normalize(vWorld - cameraPosition), to = cameraPosition - vCentre;
  float b = dot(to, ray), root = b * b - dot(to, to) + vRadius * vRadius;
  if (root < 0.0) discard;
  vec3 p = cameraPosition + ray * (-b - sqrt(root)), n = (p - vCentre) / vRadius;
  // Two of eight patches are darker, so that one sees it roll.
  vec3 own = turned(vec4(vTurn.x, -vTurn.yzw), n);
  float shadeOf = smoothstep(-0.015, 0.015, own.x * own.y * own.z);
  vec4 clip = viewProjection * vec4(p, 1.0);
  gl_FragDepthEXT = clip.z / clip.w * 0.5 + 0.5;
  gl_FragColor = vec4(shade(vColour.rgb * mix(0.86, 1.0, shadeOf), n, -ray, p), vColour.a);
}`;

const kBallDepthFragment = kPackDepth + `
varying vec3 vWorld; varying vec3 vCentre; varying float vRadius;
void main(){
  if (distance(vWorld, vCentre) > vRadius) discard;
  gl_FragColor = packDepth(gl_FragCoord.z);
}`;

// The floor: lines at round distances that fade out, and the shadow of what stands on it.
const kFloorVertex = `
uniform vec3 place; uniform vec4 turn; uniform float reach; uniform vec2 shift;
varying vec3 vWorld; varying vec2 vPlace; varying vec3 vNormal;
vec3 turned(vec4 q, vec3 v){ vec3 t = 2.0 * cross(q.yzw, v); return v + q.x * t + cross(q.yzw, t); }
void main(){
  vPlace = position.xy * reach + shift;
  vWorld = place + turned(turn, vec3(vPlace, 0.0));
  vNormal = turned(turn, vec3(0.0, 0.0, 1.0));
  gl_Position = projectionMatrix * viewMatrix * vec4(vWorld, 1.0);
}`;
const kFloorFragment = kCommon + `
uniform vec3 floorColour; uniform vec3 lineColour; uniform vec3 back; uniform float cell; uniform float reach;
uniform vec2 shift; uniform float gridOn;
varying vec3 vWorld; varying vec2 vPlace; varying vec3 vNormal;
float lines(float size){
  vec2 at = vPlace / size, near = abs(fract(at - 0.5) - 0.5) / fwidth(at);
  return (1.0 - min(min(near.x, near.y), 1.0)) * clamp(1.3 - 2.0 * max(fwidth(at).x, fwidth(at).y), 0.0, 1.0);
}
void main(){
  float light = lit(vWorld, vNormal), fade = 1.0 - smoothstep(0.25, 1.0, length(vPlace - shift) / reach);
  float line = gridOn * max(0.35 * lines(cell), 0.8 * lines(cell * 10.0));
  vec3 colour = mix(floorColour, lineColour, line) * mix(0.66, 1.0, light);
  gl_FragColor = vec4(colour, fade);
}`;
