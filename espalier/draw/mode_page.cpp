#include "espalier/draw/pages.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/draw/detail/plan_words.hpp"

namespace espalier::draw {
namespace {

using nlohmann::ordered_json;

constexpr const char* kStyle = R"(
.motion{position:relative;margin:0 0 20px;border:1px solid #dde3ea;border-radius:6px;overflow:hidden}
.motion canvas{display:block;width:100%;height:460px;cursor:grab;touch-action:none}
.motion form{display:flex;flex-wrap:wrap;gap:6px 16px;align-items:center;padding:8px 12px;border-top:1px solid #dde3ea}
.motion select,.motion button{font:inherit;padding:2px 8px}
.motion label{display:flex;gap:6px;align-items:center}
@media (prefers-color-scheme:dark){.motion,.motion form{border-color:#2b3540}}
)";

// An isometric view; drag to turn, wheel to zoom. Displacements are Re(u exp(i phase)).
constexpr const char* kScript = R"(
(()=>{
const box=document.querySelector('.motion'),canvas=box.querySelector('canvas'),form=box.querySelector('form');
const pen=canvas.getContext('2d'),dark=matchMedia('(prefers-color-scheme: dark)');
const low=[0,1,2].map(k=>Math.min(...motion.points.map(p=>p[k]))),high=[0,1,2].map(k=>Math.max(...motion.points.map(p=>p[k])));
const centre=low.map((a,k)=>(a+high[k])/2),size=Math.hypot(...low.map((a,k)=>high[k]-a))||1;
const a=(motion.up+1)%3,b=(motion.up+2)%3,c3=motion.up;
const flat=high[2]-low[2]<1e-9*size;
let yaw=flat?(c3===1?-Math.PI/2:0):-0.62,pitch=flat?(c3===1?0:Math.PI/2):0.5,zoom=1,phase=0,last=0;
motion.modes.forEach((m,k)=>form.mode.add(new Option(m.name,k)));
function project(p){
  const x=p[a]-centre[a],y=p[b]-centre[b],z=p[c3]-centre[c3],c=Math.cos(yaw),s=Math.sin(yaw);
  const u=c*x-s*y,v=s*x+c*y,f=zoom*0.85*Math.min(canvas.width/size,2*canvas.height/size);
  return [canvas.width/2+f*u,canvas.height/2-f*(Math.cos(pitch)*z+Math.sin(pitch)*v)];
}
function moved(mode,a){
  const c=Math.cos(phase)*a,s=Math.sin(phase)*a;
  return motion.points.map((p,k)=>{const d=mode.displacement[k];return project([0,1,2].map(i=>p[i]+c*d[2*i]-s*d[2*i+1]));});
}
function draw(points,style){
  const colours=dark.matches?{elastic:'#4aa8e0',rigid:'#dfe6ee',joint:'#ff8a3d'}:{elastic:'#0072b2',rigid:'#1d2733',joint:'#d55e00'};
  const ratio=devicePixelRatio||1;
  for(const line of motion.lines){
    pen.beginPath();
    line.points.forEach((k,i)=>i?pen.lineTo(...points[k]):pen.moveTo(...points[k]));
    pen.strokeStyle=style||colours[line.kind];
    pen.lineWidth=ratio*(style?1:line.kind==='rigid'?1.5:2.6);
    pen.setLineDash(line.kind==='joint'?[4*ratio,3*ratio]:[]);
    pen.stroke();
  }
  pen.setLineDash([]);
  if(style)return;
  points.forEach((p,k)=>{
    if(motion.fixed[k]){pen.fillStyle=dark.matches?'#93a0af':'#5b6775';pen.fillRect(p[0]-4*ratio,p[1]-4*ratio,8*ratio,8*ratio);}
  });
}
function frame(time){
  const w=canvas.clientWidth*(devicePixelRatio||1),h=canvas.clientHeight*(devicePixelRatio||1);
  if(canvas.width!==w||canvas.height!==h){canvas.width=w;canvas.height=h;}
  if(form.run.checked)phase+=(time-last)/1000*2*Math.PI*+form.speed.value;
  last=time;
  const mode=motion.modes[+form.mode.value||0];
  pen.clearRect(0,0,w,h);
  draw(motion.points.map(project),dark.matches?'#3a4652':'#cfd7e0');
  if(mode)draw(moved(mode,0.15*size*+form.amplitude.value));
  requestAnimationFrame(frame);
}
let from=null;
canvas.addEventListener('pointerdown',e=>{from=[e.clientX,e.clientY,yaw,pitch];canvas.setPointerCapture(e.pointerId);});
canvas.addEventListener('pointermove',e=>{
  if(!from)return;
  yaw=from[2]+(e.clientX-from[0])/150;
  pitch=Math.max(-Math.PI/2,Math.min(Math.PI/2,from[3]+(e.clientY-from[1])/150));
});
canvas.addEventListener('pointerup',()=>{from=null;});
canvas.addEventListener('wheel',e=>{zoom*=Math.exp(-e.deltaY/600);e.preventDefault();},{passive:false});
form.addEventListener('submit',e=>e.preventDefault());
requestAnimationFrame(frame);
})();
)";

// Plain inputs of the browser: they need no library and work by keys as well.
constexpr const char* kForm =
    "<form><label>mode <select name=\"mode\"></select></label><label>amplitude <input type=\"range\" "
    "name=\"amplitude\" "
    "min=\"0\" max=\"3\" step=\"0.05\" value=\"1\"></label><label>speed <input type=\"range\" name=\"speed\" "
    "min=\"0.1\" "
    "max=\"2\" step=\"0.1\" value=\"0.6\"></label><label><input type=\"checkbox\" name=\"run\" checked> "
    "move</label><span>drag to turn, wheel to zoom</span></form>";

// Six digits are more than a screen shows.
// Through text: the shortest number of six digits is what ends up in the page.
double rounded(double x) { return x == 0 ? 0 : std::stod(fmt::format("{:.6g}", x)); }

}  // namespace

std::string motion_json(const Motion& motion) {
  // Lists and not maps by name: the script goes through them in this order, for every frame.
  ordered_json points = ordered_json::array(), lines = ordered_json::array(), modes = ordered_json::array();
  for (const Eigen::Vector3d& p : motion.points) points.push_back({rounded(p.x()), rounded(p.y()), rounded(p.z())});
  for (const Motion::Line& line : motion.lines) {
    lines.push_back({{"points", line.points},
                     {"name", line.name},
                     {"kind", line.joint   ? "joint"
                              : line.rigid ? "rigid"
                                           : "elastic"}});
  }
  for (const Motion::Shape& shape : motion.shapes) {
    ordered_json rows = ordered_json::array();
    for (const Eigen::Vector3cd& u : shape.displacement) {
      ordered_json row = ordered_json::array();
      // JSON has no complex numbers.
      for (Eigen::Index k = 0; k < 3; ++k) {
        row.push_back(rounded(u[k].real()));
        row.push_back(rounded(u[k].imag()));
      }
      rows.push_back(std::move(row));
    }
    modes.push_back({{"name", shape.name},
                     {"frequency", shape.frequency},
                     {"decay", shape.decay},
                     {"displacement", std::move(rows)}});
  }
  const ordered_json json = {{"up", motion.up},
                             {"points", std::move(points)},
                             {"fixed", motion.fixed},
                             {"lines", std::move(lines)},
                             {"modes", std::move(modes)}};
  // A name may be no UTF-8: a replaced character is better than no page.
  return json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

std::string draw_html(const ModePage& page) {
  // A page of modes is a page of charts with something above them: one style, one head.
  ChartPage charts{page.title, page.text, page.charts, page.command};
  std::string html = draw_html(charts);
  // The charts alone are a page already.
  if (page.motion.shapes.empty()) return html;
  // A name may hold the end of a script, or the beginning of a comment in it.
  std::string data;
  for (const char c : motion_json(page.motion)) data += c == '<' ? std::string("\\u003c") : std::string(1, c);
  // Data before the script that reads them, in one element: the page needs no other file.
  const std::string motion = fmt::format(
      "<style>{}</style>\n<div class=\"motion\"><canvas></canvas>{}</div>\n<script>\nconst motion={};{}</script>\n",
      kStyle, kForm, data, kScript);
  // After the headline, so that the motion stands above numbers and charts.
  const std::size_t after = html.find("</h1>\n") + 6;
  return html.insert(after, motion);
}

}  // namespace espalier::draw
