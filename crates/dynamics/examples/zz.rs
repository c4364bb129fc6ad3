#![allow(missing_docs)]
use carom_dynamics::*; use carom_geometry::shape::*; use carom_geometry::*; use glam::*;
fn main(){
 for kind in 0..2 {
 let mut w=World::new(WorldDef::default().gravity(Vec3::ZERO).bounce_threshold(0.0).can_sleep(false));
 let wall=|w:&mut World,p:DVec3,h:Vec3|{w.add_body(BodyDef::fixed().at(p.x,p.y,p.z),[ShapeDef::new(Cuboid::new(h).unwrap()).friction(0.0).restitution(1.0)]).unwrap();};
 for a in 0..3{for s in [-1.0,1.0]{let mut p=DVec3::ZERO;p[a]=s*5.5;let mut h=Vec3::splat(6.0);h[a]=0.5;wall(&mut w,p,h);}}
 let mut ids=vec![];
 let n = if kind==0 {16} else {1};
 for i in 0..n{ let p=DVec3::new((i%4) as f64*2.0-3.0,(i/4) as f64*2.0-3.0,0.3*(i%3) as f64);
  let shape=if kind==0{ShapeDef::new(Sphere::new(0.5).unwrap())}else{ShapeDef::new(Capsule::new(Vec3::Y*-1.0,Vec3::Y,0.3).unwrap())};
  let v=Vec3::new(3.0-(i%5) as f32,2.0+(i%3) as f32,1.5-(i%4) as f32);
  ids.push(w.add_body(BodyDef::dynamic().at(p.x,p.y,p.z).velocity(v),[shape.density(1.0).friction(0.0).restitution(1.0)]).unwrap());}
 let e=|w:&World|ids.iter().map(|i|w.body(*i).unwrap().kinetic_energy()).sum::<f64>();
 let mut last=e(&w); let e0=last; let mut n=0;
 for s in 0..3600{ w.step(1.0/60.0).unwrap(); let now=e(&w); if (now/last-1.0).abs()>1e-4 && n<20 {n+=1;println!("kind {kind} step {s}: {:+.5} touching {} {:?}",now/last-1.0,w.report().touching, if ids.len()==1 {Some((w.body(ids[0]).unwrap().spin()))} else {None});} last=now;}
 println!("kind {kind}: ratio {}",last/e0);
 }
}
